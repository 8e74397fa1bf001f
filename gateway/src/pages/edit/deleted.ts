import { html } from '@figbase/kit/text'
import type { Deletion } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { type Kind, kindOf, kinds, pagePath } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'

const { organization, workspace } = kinds
const query = { query: z.object({ cursor: z.string().max(1000).optional() }) }

/** What was deleted, with a button that restores it: in a container, and the containers themselves. */
export const deletedPages: Route[] = [organization, workspace].flatMap((kind) => [
  userPage(
    `/${kind.segment}/:id/deleted/`,
    (input) => deletedPage(input, kind, idIn(input)),
    query,
  ),
  userForm(`/${kind.segment}/:id/deleted/`, (input) => restore(input, kind, idIn(input))),
  userPage(`/${kind.segment}/deleted/`, (input) => deletedPage(input, kind, ''), query),
  userForm(`/${kind.segment}/deleted/`, (input) => restore(input, kind, '')),
])

async function deletedPage(
  input: Input,
  { type, names }: Kind,
  id: string,
  problem?: Problem,
): Promise<Page> {
  const { services, call, cfg } = input
  const { cursor: pageToken = '' } = input.query as { cursor?: string }
  const texts = textsOf(input)
  const { t } = texts
  const request = { id, type, pageSize: cfg.pageItemsMax, pageToken }
  const [placed, { deletions, nextPageToken }] = await Promise.all([
    id ? getPlaced(input, id, type) : undefined,
    services.catalog.listDeletions(request, call),
  ])
  const title = id ? t('deleted.title') : t('deleted.titleOf', { kinds: t(names) })
  const items = deletions.map((deletion) => item(input, deletion))
  const list =
    items.length > 0
      ? html`<ul class="rows">${items}</ul>`
      : html`<p class="empty">${t('deleted.none')}</p>`
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    content: html`${placed ? pathTo(texts, placed) : html``}<h1>${title}</h1>
${problemNote(t, problem)}${list}${nextLink(input, nextPageToken)}`,
  }
}

function item(input: Input, { id, type, name, deletedBy, deletedOn, restorableUntil }: Deletion) {
  const { t, dateTime, date } = textsOf(input)
  const kind = kindOf(type)
  const values = {
    kind: t(kind.name),
    author: nameHtml(deletedBy),
    time: dateTime(deletedOn),
    until: date(restorableUntil),
  }
  return html`<li><div><strong>${nameHtml(name)}</strong> <span class="quiet">${t('deleted.note', values)}</span></div>
<form class="inline" method="post">${formToken(input)}<input type="hidden" name="kind" value="${kind.segment}">
<button class="secondary" name="id" value="${id}" aria-label="${t('deleted.restoreNamed', { name: html`${name}` })}">${t('deleted.restore')}</button></form></li>`
}

async function restore(input: Input<FormValues>, kind: Kind, id: string): Promise<FormResult> {
  const { services, call, body } = input
  const restored = Object.values(kinds).find(({ segment }) => segment === body.kind)
  if (!restored) throw pageNotFound()
  const { type } = restored
  const request = { id: body.id ?? '', type }
  return resultOf(services.catalog.restoreNode(request, call), pagePath(request), (problem) =>
    deletedPage({ ...input, query: {} }, kind, id, problem),
  )
}
