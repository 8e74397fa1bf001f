import { html } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { revisionsOf } from '../routes/nodes.js'
import { idIn } from './ids.js'
import { type Page, page } from './page.js'
import { card, largePath, smallPictures } from './pictures.js'
import { getPlace } from './place.js'
import { made, moreThan, named, words } from './text.js'

export const figure = page('/figure/:id', figurePage)

async function figurePage(input: Input): Promise<Page> {
  const { node, parent } = await getPlace(input, idIn(input), NodeType.FIGURE)
  const revisions = (await revisionsOf(input, node)).reverse()
  const shown = revisions.slice(0, input.cfg.pageItemsMax)
  const pictures = await smallPictures(input, shown)
  const cards = shown.map((revision) =>
    card({
      href: `/r/${revision.id}`,
      picture: pictures.get(revision.id),
      caption: html`Revision ${String(revision.revisionIndex + 1)}`,
      note: made(revision),
    }),
  )
  const newest = revisions.find(({ imageHash }) => imageHash)
  return {
    title: node.name,
    picture: newest && largePath(newest),
    content: html`<article><p class="kind">Figure in the analysis
<a href="/analysis/${parent.id}">${named(parent.name)}</a></p>
<h1>${named(node.name)}</h1>
<p class="quiet">Made on ${made(node)}</p>
${words(node.description)}
${cards.length > 0 ? html`<h2>Revisions, newest first</h2><ul class="cards">${cards}</ul>` : html`<p class="empty">Nothing is published here yet.</p>`}
${moreThan(shown.length, revisions.length, 'Revisions')}</article>`,
  }
}
