import { html } from '@figbase/kit'
import { NodeType, type Parent } from '@figbase/proto/catalog'
import type { FigureRevision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { found } from '../routes/found.js'
import { dataList } from './data-list.js'
import { idIn } from './ids.js'
import { type Page, page } from './page.js'
import { largePath, largePicture } from './pictures.js'
import { made, named } from './text.js'
import { textsOf } from './texts.js'

/** Where the link and the code on each published image lead. */
export const revisionPages = [page('/r/:id', revisionPage), page('/revision/:id', revisionPage)]

async function revisionPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const id = idIn(input)
  const [answer, { parent }] = await Promise.all([
    services.revisions.getFigureRevision({ id }, call),
    services.catalog.getNode({ id, type: NodeType.FIGURE_REVISION, withParent: true }, call),
  ])
  const revision = found(answer.revision)
  const figure = found(parent)
  const [picture, texts] = await Promise.all([
    largePicture(input, revision),
    textsOf(input, revision.data),
  ])
  const name = `${figure.name}, revision ${revision.revisionIndex + 1}`
  const code = texts.length > 0 ? html`<h2>How it was made</h2>${texts}` : html``
  return {
    title: name,
    picture: largePath(revision),
    content: html`<article>${heading(revision, figure)}
${pictureOf(revision, picture, name)}
${code}
${dataList(revision.data, cfg.pageItemsMax)}
<h2>Where it comes from</h2>
<p><a href="/figure/${figure.id}">All revisions of the figure ${named(figure.name)}</a></p>
</article>`,
  }
}

function heading(revision: FigureRevision, figure: Parent) {
  const mark = revision.isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  return html`<p class="kind">Revision ${String(revision.revisionIndex + 1)} of a figure${mark}</p>
<h1>${named(figure.name)}</h1>
<p class="quiet">Published on ${made(revision)}</p>`
}

function pictureOf({ isProcessing }: FigureRevision, picture: string | undefined, name: string) {
  if (picture) return html`<div class="picture"><img src="${picture}" alt="${name}"></div>`
  const words = isProcessing
    ? 'This revision is still being processed. Load this page again in a moment.'
    : 'This revision has no picture.'
  return html`<p class="empty">${words}</p>`
}
