import { type Html, html } from '@figbase/kit/text'
import { type ActivityEntry, NodeType } from '@figbase/proto/catalog'
import { type Task, TaskStatus } from '@figbase/proto/tasks'
import type { Input } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { pageOfNodes } from '../../nodes/lists.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { entryList } from '../activity/entries.js'
import { cardsOf, rowsOf } from '../browse/items.js'
import { type Kind, kinds } from '../kinds.js'
import { cardList, rowList } from '../lists.js'
import type { Page } from '../page.js'
import { searchBox } from '../search/search-box.js'
import { nameHtml } from '../text.js'

const figuresMax = 12
const tasksMax = 10
const entriesMax = 8
const organizationsMax = 20

/** What a signed-in user comes back to. */
export async function overviewPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const first = { pageSize: cfg.pageItemsMax, pageToken: '' }
  const [workspaces, organizations, recent, activity, tasks] = await Promise.all([
    pageOfNodes(input, { type: NodeType.WORKSPACE, ...first }),
    pageOfNodes(input, { type: NodeType.ORGANIZATION, ...first, pageSize: organizationsMax }),
    services.catalog.listRecent({ type: NodeType.FIGURE, pageSize: figuresMax }, call),
    services.catalog.listMemberActivity({ pageSize: entriesMax }, call),
    ifAvailable(
      services.tasks.listTasks(
        { statuses: [TaskStatus.PENDING, TaskStatus.STARTED], pageSize: tasksMax },
        call,
      ),
    ),
  ])
  const figures = cardsOf(texts, recent.nodes)
  const shown =
    figures.length > 0
      ? cardList(texts, figures)
      : html`<p class="empty">${t('home.noFigures', { link: (text) => html`<a href="/docs/publishing/">${text}</a>` })}</p>`
  return {
    title: t('home.title'),
    hasForm: true,
    content: html`<h1>${t('home.title')}</h1>
${searchBox(texts)}
${tasksOf(texts, tasks?.tasks ?? [])}
<h2>${t('home.recent')}</h2>${shown}
${listHeading(texts, kinds.workspace)}${rowList(rowsOf(texts, workspaces.items))}${more(texts, 'workspace', workspaces.nextPageToken)}
${organizations.items.length > 0 ? html`${listHeading(texts, kinds.organization)}${rowList(rowsOf(texts, organizations.items))}` : html``}
<p class="buttons"><a class="button" href="/new/workspace/">${t('new.workspace')}</a>
<a class="button secondary" href="/new/organization/">${t('new.organization')}</a></p>
${cfg.computeDriver === 'off' ? html`` : html`<p class="way"><a href="/notebooks/">${t('compute.title')}</a></p>`}
${activityOf(texts, activity.entries)}`,
  }
}

function activityOf(texts: Texts, entries: ActivityEntry[]) {
  if (entries.length === 0) return html``
  const { t } = texts
  return html`<h2>${t('activity.title')}</h2>${entryList(texts, entries)}
<p class="way"><a href="/activity/">${t('activity.more')}</a></p>`
}

const listHeading = ({ t }: Texts, { names, segment }: Kind): Html =>
  html`<div class="list"><h2>${t(names)}</h2><a href="/${segment}/?list=${segment}">${t('list.order')}</a></div>`

const more = ({ t }: Texts, segment: string, token: string): Html =>
  token
    ? html`<p class="way"><a href="/${segment}/?cursor=${encodeURIComponent(token)}">${t('list.next')}</a></p>`
    : html``

function tasksOf({ t }: Texts, tasks: Task[]): Html {
  if (tasks.length === 0) return html``
  const items = tasks.map(
    ({ name, progressPercent, statusMessage }) =>
      html`<li><label>${nameHtml(name)} <progress max="100" value="${String(progressPercent)}"></progress></label>
<span class="quiet">${statusMessage}</span></li>`,
  )
  return html`<h2>${t('home.tasks')}</h2><ul class="rows">${items}</ul>`
}
