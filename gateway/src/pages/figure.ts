import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { revisionsOf } from '../nodes/lists.js'
import { commentsOn } from './comments.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { cards } from './lists.js'
import { getNodeWithParent } from './node-with-parent.js'
import { type Page, page } from './page.js'
import { largePath, smallPictures } from './pictures.js'
import { creatorHtml, dateHtml } from './text.js'

export const figure = page('/figure/:id/', figurePage)

async function figurePage(input: Input): Promise<Page> {
  const { node, parent } = await getNodeWithParent(input, idIn(input), NodeType.FIGURE)
  const [oldestFirst, comments] = await Promise.all([
    revisionsOf(input, node, NodeType.FIGURE_REVISION),
    commentsOn(input, node),
  ])
  const revisions = oldestFirst.reverse()
  const shown = revisions.slice(0, input.cfg.pageItemsMax)
  const pictures = await smallPictures(input, shown)
  const items = shown.map((revision) => ({
    href: `/r/${revision.id}`,
    picture: pictures.get(revision.id),
    caption: html`Revision ${String(revision.revisionIndex + 1)}`,
    note: html`${dateHtml(revision.createdOn)} by ${creatorHtml(revision)}`,
  }))
  const newest = revisions.find(({ hasThumbnail }) => hasThumbnail)
  return {
    title: node.name,
    picture: newest && largePath(newest),
    content: html`<article>${heading('Figure', node, parent)}
${cards('Revisions, newest first', items, revisions.length)}
${comments}</article>`,
  }
}
