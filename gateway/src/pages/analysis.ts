import { html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { childrenOf, scopedAssetsOf } from '../nodes/lists.js'
import { withoutLists } from '../nodes/node-with-lists.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { cards, rows } from './lists.js'
import { getNodeWithParent } from './node-with-parent.js'
import { type Page, page } from './page.js'
import { inlinePictures, smallPath } from './pictures.js'
import { dateHtml, humanBytes, nameHtml } from './text.js'

export const analysis = page('/analysis/:id/', analysisPage)

/** The maximum number of revisions of the analysis, newest first, to search for pictures of its figures. */
const revisionsMax = 1000

async function analysisPage(input: Input): Promise<Page> {
  const { node, parent } = await getNodeWithParent(input, idIn(input), NodeType.ANALYSIS)
  const { pageItemsMax } = input.cfg
  const [figures, assets] = await Promise.all([
    childrenOf(input, withoutLists(node), NodeType.FIGURE),
    scopedAssetsOf(input, withoutLists(node)),
  ])
  const shown = figures.slice(0, pageItemsMax)
  const pictures = await picturesOf(input, node, shown)
  const figureItems = shown.map((figure) => ({
    href: `/figure/${figure.id}`,
    picture: pictures.get(figure.id),
    caption: nameHtml(figure.name),
    note: html`${countOf(figure)}, ${dateHtml(figure.childUpdatedOn ?? figure.createdOn)}`,
  }))
  const assetItems = assets.slice(0, pageItemsMax).map((asset) => ({
    href: `/asset/${asset.id}`,
    caption: nameHtml(asset.name),
    note: html`${humanBytes(asset.sizeBytes)}`,
  }))
  return {
    title: node.name,
    content: html`<article>${heading('Analysis', node, parent)}
${cards('Figures', figureItems, figures.length)}
${assets.length > 0 ? rows('Assets', assetItems, assets.length) : html``}</article>`,
  }
}

const countOf = ({ children }: Node) => (children === 1 ? '1 revision' : `${children} revisions`)

/** Pictures by figure id; takes at most three RPCs for any number of figures. */
async function picturesOf(input: Input, { id, type }: Node, figures: Node[]) {
  const { services, call } = input
  const filled = figures.filter(({ children }) => children > 0)
  if (input.username === '')
    return new Map(filled.map((one) => [one.id, smallPath('figure', one.id)]))
  const request = { id, type, pageSize: revisionsMax }
  const { ids } = await services.catalog.listNewestRevisions(request, call)
  const resolved = await services.catalog.resolveNodes(
    { ids, type: NodeType.FIGURE_REVISION },
    call,
  )
  const groups = new Map<string, string[]>(filled.map((figure) => [figure.id, []]))
  for (const revision of resolved.nodes) groups.get(revision.parentId)?.push(revision.id)
  return inlinePictures(input, groups)
}
