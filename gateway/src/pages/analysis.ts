import { html } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { childrenOf, closed, scopedAssetsOf } from '../routes/nodes.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { cards, rows } from './lists.js'
import { type Page, page } from './page.js'
import { inlinePictures, smallPath } from './pictures.js'
import { getPlace } from './place.js'
import { day, humanBytes, named } from './text.js'

export const analysis = page('/analysis/:id/', analysisPage)

/** Pictures of figures are looked for among so many revisions, the newest of the analysis. */
const revisionsMax = 1000

async function analysisPage(input: Input): Promise<Page> {
  const { node, parent } = await getPlace(input, idIn(input), NodeType.ANALYSIS)
  const { pageItemsMax } = input.cfg
  const [figures, assets] = await Promise.all([
    childrenOf(input, closed(node), NodeType.FIGURE),
    scopedAssetsOf(input, closed(node)),
  ])
  const shown = figures.slice(0, pageItemsMax)
  const pictures = await picturesOf(input, node, shown)
  const figureItems = shown.map((figure) => ({
    href: `/figure/${figure.id}`,
    picture: pictures.get(figure.id),
    caption: named(figure.name),
    note: html`${countOf(figure)}, ${day(figure.childUpdatedOn ?? figure.createdOn)}`,
  }))
  const assetItems = assets.slice(0, pageItemsMax).map((asset) => ({
    href: `/asset/${asset.id}`,
    caption: named(asset.name),
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

/** By figure. However many there are, it takes three calls, or none. */
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
