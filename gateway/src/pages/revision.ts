import { type Html, html } from '@figbase/kit/text'
import { NodeType, type Parent } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input, Route } from '../endpoint.js'
import { required } from '../required.js'
import { commentsOn } from './comments.js'
import { dataList } from './data-list.js'
import { renderTexts } from './data-texts.js'
import { idIn, revisionIdIn } from './ids.js'
import { assetsUsed, figuresUsing, sourceOf } from './linked-revisions.js'
import { type Page, page } from './page.js'
import { largePath, largePicture } from './pictures.js'
import { createdHtml, dateTimeHtml, nameHtml, paragraphHtml } from './text.js'

const ofFigure = {
  type: NodeType.FIGURE_REVISION,
  parent: 'figure',
  a: 'a figure',
  idIn: revisionIdIn,
  linked: assetsUsed,
} as const
const ofAsset = {
  type: NodeType.ASSET_REVISION,
  parent: 'asset',
  a: 'an asset',
  idIn,
  linked: figuresUsing,
} as const
type Kind = typeof ofFigure | typeof ofAsset

/** `/r/` is the target of the link and the QR code on each published image. */
export const revisionPages: Route[] = [
  page('/r/:id/', (input) => revisionPage(input, ofFigure)),
  page('/revision/:id/', (input) => revisionPage(input, ofFigure)),
  page('/asset_revision/:id/', (input) => revisionPage(input, ofAsset)),
]

async function revisionPage(input: Input, kind: Kind): Promise<Page> {
  const { services, call } = input
  const request = { id: kind.idIn(input), type: kind.type }
  const [answer, place] = await Promise.all([
    services.revisions.getRevision(request, call),
    services.catalog.getNode({ ...request, withParent: true }, call),
  ])
  const revision = required(answer.revision)
  const { parent } = place
  const [picture, texts, linked, source, comments] = await Promise.all([
    largePicture(input, revision),
    renderTexts(input, revision.data),
    kind.linked(input, revision),
    sourceOf(input, revision),
    commentsOn(input, revision),
  ])
  const number = revision.revisionIndex + 1
  const name = parent ? `${parent.name}, revision ${number}` : `Revision ${number} of ${kind.a}`
  const code = texts.length > 0 ? html`<h2>Code and text</h2>${texts}` : html``
  return {
    title: name,
    picture: revision.hasThumbnail ? largePath(revision) : undefined,
    content: html`<article>${heading(revision, parent, kind)}
${pictureOf(revision, picture, name)}
${descriptionOf(revision)}
${code}
${dataList(input, 'Data', revision.data)}
${originOf(kind, parent, source)}${linked}${comments}</article>`,
  }
}

/** The parent and the source, as far as the user may view them. */
function originOf(kind: Kind, parent: Parent | undefined, source: Html | undefined) {
  if (!parent && !source) return html``
  const place = parent
    ? html`<p>From the ${kind.parent} <a href="/${kind.parent}/${parent.id}">${nameHtml(parent.name)}</a></p>`
    : html``
  return html`<h2>Origin</h2>
${place}
${source ?? html``}`
}

function heading(revision: Revision, parent: Parent | undefined, kind: Kind) {
  const number = String(revision.revisionIndex + 1)
  const mark = revision.isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  const changed = revision.updatedOn
    ? html`, changed on ${dateTimeHtml(revision.updatedOn)}`
    : html``
  const { shortId: own } = revision
  const shortId = own ? html`. Short id: <code>${own}</code>` : html``
  const title = parent ? nameHtml(parent.name) : html`Revision ${number}`
  return html`<p class="kind">Revision ${number} of ${kind.a}${mark}</p>
<h1>${title}</h1>
<p class="quiet">Published on ${createdHtml(revision)}${changed}${shortId}</p>`
}

function pictureOf({ isProcessing, type }: Revision, picture: string | undefined, name: string) {
  if (picture) return html`<div class="picture"><img src="${picture}" alt="${name}"></div>`
  if (isProcessing) {
    return html`<p class="empty">This revision is still being processed. Reload this page in a dateTimeHtml.</p>`
  }
  // Most assets are tables and files.
  if (type === NodeType.ASSET_REVISION) return html``
  return html`<p class="empty">This revision has no picture.</p>`
}

function descriptionOf({ description }: Revision): Html {
  if (!description) return html``
  const author = description.author === 'ai' ? html`AI` : nameHtml(description.author)
  return html`<h2>Description</h2>${paragraphHtml(description.text)}
<p class="quiet">Described by ${author}</p>`
}
