import { type Html, html } from '@figbase/kit'
import { NodeType, type Parent } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Endpoint, Input } from '../endpoint.js'
import { found } from '../routes/found.js'
import { commentsOn } from './comments.js'
import { dataList } from './data-list.js'
import { idIn, revisionIdIn } from './ids.js'
import { assetsUsed, figuresUsing, sourceOf } from './linked.js'
import { type Page, page } from './page.js'
import { largePath, largePicture } from './pictures.js'
import { made, moment, named, words } from './text.js'
import { textsOf } from './texts.js'

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

/** `/r/` is where the link and the code on each published image lead. */
export const revisionPages: Endpoint[] = [
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
  const revision = found(answer.revision)
  const { parent } = place
  const [picture, texts, linked, source, comments] = await Promise.all([
    largePicture(input, revision),
    textsOf(input, revision.data),
    kind.linked(input, revision),
    sourceOf(input, revision),
    commentsOn(input, revision),
  ])
  const number = revision.revisionIndex + 1
  const name = parent ? `${parent.name}, revision ${number}` : `Revision ${number} of ${kind.a}`
  const code = texts.length > 0 ? html`<h2>How it was made</h2>${texts}` : html``
  return {
    title: name,
    picture: revision.hasThumbnail ? largePath(revision) : undefined,
    content: html`<article>${heading(revision, parent, kind)}
${pictureOf(revision, picture, name)}
${descriptionOf(revision)}
${code}
${dataList(input, 'Data to download', revision.data)}
${originOf(kind, parent, source)}${linked}${comments}</article>`,
  }
}

/** What of it the reader may view. */
function originOf(kind: Kind, parent: Parent | undefined, source: Html | undefined) {
  if (!parent && !source) return html``
  const place = parent
    ? html`<p>From the ${kind.parent} <a href="/${kind.parent}/${parent.id}">${named(parent.name)}</a></p>`
    : html``
  return html`<h2>Where it comes from</h2>
${place}
${source ?? html``}`
}

function heading(revision: Revision, parent: Parent | undefined, kind: Kind) {
  const number = String(revision.revisionIndex + 1)
  const mark = revision.isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  const changed = revision.updatedOn ? html`, changed on ${moment(revision.updatedOn)}` : html``
  const { shortId: own } = revision
  const shortId = own ? html`. Short id: <code>${own}</code>` : html``
  const title = parent ? named(parent.name) : html`Revision ${number}`
  return html`<p class="kind">Revision ${number} of ${kind.a}${mark}</p>
<h1>${title}</h1>
<p class="quiet">Published on ${made(revision)}${changed}${shortId}</p>`
}

function pictureOf({ isProcessing, type }: Revision, picture: string | undefined, name: string) {
  if (picture) return html`<div class="picture"><img src="${picture}" alt="${name}"></div>`
  if (isProcessing) {
    return html`<p class="empty">This revision is still being processed. Load this page again in a moment.</p>`
  }
  // Most assets are tables and files.
  if (type === NodeType.ASSET_REVISION) return html``
  return html`<p class="empty">This revision has no picture.</p>`
}

function descriptionOf({ description }: Revision): Html {
  if (!description) return html``
  const author = description.author === 'ai' ? html`AI` : named(description.author)
  return html`<h2>What it shows</h2>${words(description.text)}
<p class="quiet">Described by ${author}</p>`
}
