import { type Html, html } from '@figbase/kit/text'
import { NodeType, type Parent } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { z } from 'zod'
import type { Input, Route } from '../endpoint.js'
import { required } from '../required.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { actionsFor } from './actions.js'
import { citationOf } from './cite/cite.js'
import { commentsOn } from './comments.js'
import { dataList } from './data-list.js'
import { renderTexts } from './data-texts.js'
import { importedFrom } from './git/imported-from.js'
import { path } from './heading.js'
import { idIn, revisionIdIn } from './ids.js'
import { assetsUsed, figuresUsing, type Source, sourceOf } from './linked-revisions.js'
import { followed, withComments } from './live.js'
import { type Page, page } from './page.js'
import { partsQuery } from './parts.js'
import { previewPath } from './pictures.js'
import { getPlaced } from './placed.js'
import { provenanceGraph } from './provenance-graph.js'
import { descriptionOf, metadataOf, pictureOf } from './revision-parts.js'
import { storiesTelling } from './stories-telling.js'
import { dataTables } from './tables/data-tables.js'
import { creatorHtml, nameHtml } from './text.js'

const ofFigure = {
  type: NodeType.FIGURE_REVISION,
  parent: 'figure',
  messages: { kind: 'revision.numberOfFigure', from: 'revision.fromFigure' },
  idIn: revisionIdIn,
  linked: assetsUsed,
} as const
const ofAsset = {
  type: NodeType.ASSET_REVISION,
  parent: 'asset',
  messages: { kind: 'revision.numberOfAsset', from: 'revision.fromAsset' },
  idIn,
  linked: figuresUsing,
} as const
type Kind = typeof ofFigure | typeof ofAsset

const query = { query: z.object(partsQuery) }

/** `/r/` is the target of the link and the QR code on each published image. */
export const revisionPages: Route[] = [
  page('/r/:id/', (input) => revisionPage(input, ofFigure), query),
  page('/revision/:id/', (input) => revisionPage(input, ofFigure), query),
  page('/asset_revision/:id/', (input) => revisionPage(input, ofAsset), query),
]

async function revisionPage(input: Input, kind: Kind): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const request = { id: kind.idIn(input), type: kind.type }
  const [answer, placed] = await Promise.all([
    services.revisions.getRevision(request, call),
    getPlaced(input, request.id, kind.type),
  ])
  const revision = required(answer.revision)
  const parent = placed.ancestors.find(({ id }) => id === placed.node.parentId)
  const isFigure = kind === ofFigure
  const [excerpts, tables, linked, source, stories, comments, site] = await Promise.all([
    renderTexts(input, revision.data),
    dataTables(input, revision.data),
    kind.linked(input, revision),
    sourceOf(input, revision),
    isFigure ? storiesTelling(input, revision.id) : undefined,
    commentsOn(input, revision),
    input.readSite(),
  ])
  const number = revision.revisionIndex + 1
  const name = parent
    ? t('revision.titleOf', { name: parent.name, number })
    : t(kind.messages.kind, { number })
  const provenance = {
    sources: [...(source ? [source.name] : []), ...(isFigure ? linked.names : [])],
    name: t('revision.number', { number }),
    uses: stories ? stories.names : linked.names,
  }
  const code = excerpts.length > 0 ? html`<h2>${t('data.texts')}</h2>${excerpts}` : html``
  return {
    title: name,
    ...withComments(input),
    picture: revision.hasThumbnail ? previewPath(revision) : undefined,
    content: html`<article>${path(texts, placed.ancestors)}${heading(texts, revision, parent, kind)}${actionsFor(texts, placed, site)}
<div ${followed(input, { id: 'picture', event: 'revision', object: revision.id, news: t('revision.processed') })}>
${pictureOf(texts, revision, name)}</div>
${descriptionOf(texts, revision)}
${code}
${tables}
${dataList(input, t('data.title'), revision.data)}
${metadataOf(input, revision)}
${originOf(texts, kind, parent, source, importedFrom(texts, revision))}${provenanceGraph(texts, provenance)}${linked.list}${stories?.list ?? html``}
${citationOf(input, revision, parent?.name)}${comments}</article>`,
  }
}

/** The parent and the source, as far as the user may view them. */
function originOf(
  { t }: Texts,
  kind: Kind,
  parent: Parent | undefined,
  source: Source | undefined,
  imported: Html | undefined,
) {
  if (!parent && !source && !imported) return html``
  const link = (name: Html) => html`<a href="/${kind.parent}/${parent?.id ?? ''}">${name}</a>`
  const place = parent
    ? html`<p>${t(kind.messages.from, { link, name: nameHtml(parent.name) })}</p>`
    : html``
  return html`<h2>${t('revision.origin')}</h2>
${place}
${imported ?? html``}${source?.line ?? html``}`
}

function heading(
  { t, dateTime }: Texts,
  revision: Revision,
  parent: Parent | undefined,
  kind: Kind,
) {
  const number = revision.revisionIndex + 1
  const { createdOn, updatedOn, shortId, isCleanRoom } = revision
  const mark = isCleanRoom ? html` <span class="mark">${t('data.cleanRoom')}</span>` : html``
  const facts = [
    t('revision.published', { time: dateTime(createdOn), author: creatorHtml(revision) }),
    ...(updatedOn ? [t('revision.changed', { time: dateTime(updatedOn) })] : []),
    ...(shortId ? [t('revision.shortId', { id: html`<code>${shortId}</code>` })] : []),
  ]
  const title = parent ? nameHtml(parent.name) : t('revision.number', { number })
  return html`<p class="kind">${t(kind.messages.kind, { number })}${mark}</p>
<h1>${title}</h1>
<p class="quiet">${facts.map((fact, i) => (i > 0 ? html` · ${fact}` : fact))}</p>`
}
