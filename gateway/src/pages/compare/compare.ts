import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { type Page, page } from '../page.js'
import { getPlaced, may } from '../placed.js'
import { creatorHtml } from '../text.js'
import { chooser } from './chooser.js'
import { linkChanges } from './link-changes.js'
import { metadataChanges } from './metadata-changes.js'
import { objectChanges } from './object-changes.js'
import { comparedPictures } from './pictures.js'

const ofFigure = {
  container: NodeType.FIGURE,
  revision: NodeType.FIGURE_REVISION,
  segment: 'figure',
  path: '/r',
} as const
const ofAsset = {
  container: NodeType.ASSET,
  revision: NodeType.ASSET_REVISION,
  segment: 'asset',
  path: '/asset_revision',
} as const
export type Kind = typeof ofFigure | typeof ofAsset

/** `cursor`: where the list of revisions goes on after `to`, in place of `from`. */
const query = z.object({
  from: z.uuid().optional(),
  to: z.uuid().optional(),
  cursor: z.string().max(1000).optional(),
})

export const comparePages: Route[] = [ofFigure, ofAsset].map((kind) =>
  page(`/${kind.segment}/:id/compare/`, (input) => comparePage(input, kind), { query }),
)

async function comparePage(input: Input, kind: Kind): Promise<Page> {
  const id = idIn(input)
  const { from = '', to = '', cursor = '' } = query.parse(input.query)
  const [placed, newest, before, after, { isAiEnabled }] = await Promise.all([
    getPlaced(input, id, kind.container),
    newestRevisions(input, kind, input.cfg.pageItemsMax),
    revisionOf(input, kind, from),
    revisionOf(input, kind, to),
    input.readSite(),
  ])
  const first = before ?? (after && (await revisionBefore(input, kind, newest, after, cursor)))
  const texts = textsOf(input)
  const title = texts.t('compare.title', { name: placed.node.name })
  const content = first && after ? await comparisonOf(input, kind, first, after) : html``
  const isAsked = isAiEnabled && kind === ofFigure && may(placed, 'COMMENT') && first && after
  const question = isAsked
    ? html`<p class="way"><a href="/revision/${to}/ask/?with=${first.id}">${texts.t('insight.compare')}</a></p>`
    : html``
  return {
    title,
    hasForm: true,
    content: html`<article>${pathTo(texts, placed)}
<h1>${texts.t('compare.heading')}</h1>
${chooser(input, newest, first, after)}${question}
${content}</article>`,
  }
}

/** A revision with its data. Throws a 404 if it is one of another figure or asset. */
async function revisionOf(input: Input, kind: Kind, id: string) {
  if (id === '') return undefined
  const request = { id, type: kind.revision }
  const { revision } = await input.services.revisions.getRevision(request, input.call)
  if (required(revision).parentId !== input.params.id?.toLowerCase()) throw pageNotFound()
  return required(revision)
}

async function newestRevisions(input: Input, kind: Kind, pageSize: number, pageToken = '') {
  const { services, call } = input
  const list = { parentId: idIn(input), type: kind.revision, newestFirst: true }
  return (await services.revisions.listRevisions({ ...list, pageSize, pageToken }, call)).revisions
}

/** For links that name only the newer one: the next one after the cursor, or among the newest ones. */
async function revisionBefore(
  input: Input,
  kind: Kind,
  newest: Revision[],
  { id }: Revision,
  cursor: string,
) {
  const at = newest.findIndex((revision) => revision.id === id)
  const before = cursor
    ? (await newestRevisions(input, kind, 1, cursor))[0]
    : at >= 0
      ? newest[at + 1]
      : undefined
  return revisionOf(input, kind, before?.id ?? '')
}

async function comparisonOf(input: Input, kind: Kind, before: Revision, after: Revision) {
  const texts = textsOf(input)
  const [objects, links] = await Promise.all([
    objectChanges(input, before.data, after.data),
    linkChanges(input, before.links, after.links),
  ])
  const heads = html`${headOf(texts, kind, before)}${headOf(texts, kind, after)}`
  return html`<div class="sides">${heads}</div>
${comparedPictures(texts, before, after)}
${objects}
${metadataChanges(input, before, after)}
${kind === ofFigure ? links : html``}`
}

function headOf({ t, dateTime }: Texts, { path }: Kind, revision: Revision): Html {
  const { id, revisionIndex, createdOn } = revision
  const by = t('time.by', { time: dateTime(createdOn), author: creatorHtml(revision) })
  return html`<p><a href="${path}/${id}">${t('revision.number', { number: revisionIndex + 1 })}</a>
<span class="quiet">${by}</span></p>`
}
