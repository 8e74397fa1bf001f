import { type Html, html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { copyable } from '../copyable.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'

const { analysis, figure, figureRevision, asset, assetRevision, story } = kinds
const query = {
  query: z.object({ cursor: z.string().max(1000).optional(), done: z.string().optional() }),
}

/** Who may view an object without being a member. The services refuse the page to those who may not share it. */
export const sharePages: Route[] = [
  analysis,
  figure,
  figureRevision,
  asset,
  assetRevision,
  story,
].flatMap((kind) => {
  const path = `/${kind.segment}/:id/share/`
  const targetOf = (input: Input) => ({ id: idIn(input), type: kind.type })
  const submitted = (input: Input<FormValues>, work: Promise<unknown>, done: string) =>
    resultOf(work, `${sharePath(input, kind)}?done=${done}`, (problem) =>
      sharePage({ ...input, query: {} }, kind, problem, input.body),
    )
  return [
    userPage(path, (input) => sharePage(input, kind), query),
    userForm(`${path}user/`, (input) => {
      const { username = '', enabled } = input.body
      const isEnabled = enabled === 'true'
      const request = { ...targetOf(input), username, enabled: isEnabled }
      const work = input.services.catalog.setUserShare(request, input.call)
      return submitted(input, work, isEnabled ? 'shared' : 'stopped')
    }),
    userForm(`${path}link/`, (input) => {
      const isEnabled = input.body.enabled === 'true'
      const request = { ...targetOf(input), enabled: isEnabled }
      const work = input.services.catalog.setLinkShare(request, input.call)
      return submitted(input, work, isEnabled ? 'linked' : 'unlinked')
    }),
  ]
})

const sharePath = (input: Input, { type }: Kind) => `${pagePath({ id: idIn(input), type })}share/`

const doneMessages: Record<string, MessageKey> = {
  shared: 'share.shared',
  stopped: 'share.stopped',
  linked: 'share.linked',
  unlinked: 'share.unlinked',
}

async function sharePage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed: FormValues = {},
): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor: pageToken = '', done = '' } = input.query as { cursor?: string; done?: string }
  const target = { id: idIn(input), type: kind.type }
  const [placed, { usernames, nextPageToken }, { enabled }] = await Promise.all([
    getPlaced(input, target.id, target.type),
    services.catalog.listUserShares({ ...target, pageSize: cfg.pageItemsMax, pageToken }, call),
    services.catalog.getLinkShare(target, call),
  ])
  const entries = usernames.map((one) => shareEntry(input, kind, one))
  const message = doneMessages[done]
  const members = (text: Html) =>
    html`<a href="/workspace/${placed.node.workspaceId}/members/">${text}</a>`
  return {
    ...(problem && { status: problem.status }),
    title: t('share.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t(kind.name)}</p>
<h1>${t('share.title')}</h1>
${problemNote(t, problem)}${message ? html`<p class="notice" role="status">${t(message)}</p>` : html``}
<h2>${t('share.access')}</h2>
<p>${t('share.members', { link: members })}</p>
${entryList(entries, t('share.none'))}${nextLink(input, nextPageToken)}
<h2>${t('share.withUser')}</h2>
<p>${t('share.withUserNote')}</p>
<form method="post" action="${sharePath(input, kind)}user/">${formToken(input)}<input type="hidden" name="enabled" value="true">
<label>${t('signIn.username')} <input name="username" value="${typed.username ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
<button>${t('share.share')}</button></form>
${linkPart(input, kind, enabled)}`,
  }
}

function shareEntry(input: Input, kind: Kind, username: string): Html {
  const { t } = textsOf(input)
  return html`<li><div><strong>${nameHtml(username)}</strong></div>
<form class="inline" method="post" action="${sharePath(input, kind)}user/">${formToken(input)}<input type="hidden" name="enabled" value="false">
<button class="secondary" name="username" value="${username}" aria-label="${t('share.stopOne', { name: username })}">${t('share.stop')}</button></form></li>`
}

function linkPart(input: Input, kind: Kind, isEnabled: boolean): Html {
  const texts = textsOf(input)
  const { t } = texts
  const address = `${siteOriginOf(input)}${pagePath({ id: idIn(input), type: kind.type })}`
  const button = isEnabled
    ? html`<button class="secondary">${t('share.linkOff')}</button>`
    : html`<button>${t('share.linkOn')}</button>`
  return html`<h2>${t('share.byLink')}</h2>
<p>${t(isEnabled ? 'share.linkIsOn' : 'share.linkIsOff')}</p>
${isEnabled ? copyable(texts, t('share.address'), address) : html``}
<form method="post" action="${sharePath(input, kind)}link/">${formToken(input)}<input type="hidden" name="enabled" value="${String(!isEnabled)}">${button}</form>
<p class="quiet">${t('share.above')}</p>`
}
