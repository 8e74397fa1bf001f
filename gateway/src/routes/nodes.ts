import type { GetNodeResponse, Node, NodePage, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { found } from './found.js'
import { allPages, pages } from './pages.js'

/** What a document shows beside the node itself; catalog answers the first page of each with the node. */
export type Opening = {
  children?: NodeType[]
  scopedAssets?: boolean
  /** So many ids of the newest revisions. */
  newestRevisions?: number
}

/** A node with the beginnings of its lists; none of them where nothing was asked for, or by an older catalog. */
export type OpenNode = {
  node: Node
  firstChildren: Map<NodeType, NodePage>
  firstScopedAssets?: NodePage | undefined
  newestRevisionIds: string[]
}

export async function openNode(
  { services, call }: Input,
  id: string,
  type: NodeType,
  opening: Opening,
): Promise<OpenNode> {
  return opened(await services.catalog.getNode({ id, type, ...opening }, call), opening)
}

function opened(answer: GetNodeResponse, { children = [] }: Opening): OpenNode {
  const { scopedAssets: firstScopedAssets, newestRevisionIds } = answer
  const first = answer.children.map((page, index) => [children[index], page] as const)
  return {
    node: found(answer.node),
    firstChildren: new Map(
      first.flatMap(([type, page]) => (type === undefined ? [] : [[type, page]])),
    ),
    firstScopedAssets,
    newestRevisionIds,
  }
}

/** A node of which nothing else is known. */
export const closed = (node: Node): OpenNode => ({
  node,
  firstChildren: new Map(),
  newestRevisionIds: [],
})

/** The live children of one type, oldest first. */
export async function childrenOf(
  { services, call }: Input,
  { node, firstChildren }: OpenNode,
  type: NodeType,
) {
  if (node.children === 0) return []
  const { id: parentId } = node
  return allPages(
    async (pageToken) => {
      const request = { parentId, type, pageToken }
      return toPage(await services.catalog.listChildren(request, call))
    },
    firstOf(firstChildren.get(type)),
  )
}

/** The live assets that belong to one analysis, oldest first. */
export function scopedAssetsOf({ services, call }: Input, { node, firstScopedAssets }: OpenNode) {
  const { id: analysisId } = node
  return allPages(
    async (pageToken) =>
      toPage(await services.catalog.listScopedAssets({ analysisId, pageToken }, call)),
    firstOf(firstScopedAssets),
  )
}

type NodesOfPage = Pick<NodePage, 'nodes' | 'nextPageToken'>

const toPage = ({ nodes, nextPageToken }: NodesOfPage) => ({ items: nodes, nextPageToken })
const firstOf = (page: NodesOfPage | undefined) => page && toPage(page)

/** All that the caller can view of one type, oldest first. */
export function visibleNodes({ services, call }: Input, type: NodeType): AsyncIterable<Node> {
  return pages(async (pageToken) => {
    const { nodes, nextPageToken } = await services.catalog.listNodes({ type, pageToken }, call)
    return { items: nodes, nextPageToken }
  })
}

export async function getNode({ services, call }: Input, id: string, type: NodeType) {
  return found((await services.catalog.getNode({ id, type }, call)).node)
}

/** The live revisions of one figure or asset, oldest first. */
export async function revisionsOf(
  { services, call }: Input,
  { id: parentId, children }: Node,
  type: NodeType,
  first?: { revisions: Revision[]; nextPageToken: string },
) {
  if (children === 0) return []
  return allPages(async (pageToken) => {
    const request = { parentId, type, pageToken }
    const page = await services.revisions.listRevisions(request, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  }, first && { items: first.revisions, nextPageToken: first.nextPageToken })
}
