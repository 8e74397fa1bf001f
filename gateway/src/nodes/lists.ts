import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Node, NodePage, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { required } from '../required.js'
import { collectPages, iteratePages } from '../routes/pagination.js'
import type { NodeWithLists } from './node-with-lists.js'

/** All children of one type, oldest first, without deleted ones. */
export async function childrenOf(
  { services, call }: Input,
  { node, firstChildren }: NodeWithLists,
  type: NodeType,
) {
  if (node.children === 0) return []
  const { id: parentId } = node
  return collectPages(
    async (pageToken) => {
      const request = { parentId, type, pageToken }
      return toPage(await services.catalog.listChildren(request, call))
    },
    firstOf(firstChildren.get(type)),
  )
}

/** All assets scoped to an analysis, oldest first, without deleted ones. */
export function scopedAssetsOf(
  { services, call }: Input,
  { node, firstScopedAssets }: NodeWithLists,
) {
  const { id: analysisId } = node
  return collectPages(
    async (pageToken) =>
      toPage(await services.catalog.listScopedAssets({ analysisId, pageToken }, call)),
    firstOf(firstScopedAssets),
  )
}

type NodesOfPage = Pick<NodePage, 'nodes' | 'nextPageToken'>

const toPage = ({ nodes, nextPageToken }: NodesOfPage) => ({ items: nodes, nextPageToken })
const firstOf = (page: NodesOfPage | undefined) => page && toPage(page)

/** All nodes of one type that the caller may view, oldest first. */
export function visibleNodes(input: Input, type: NodeType): AsyncIterable<Node> {
  return iteratePages((pageToken) => pageOfNodes(input, { type, pageSize: 0, pageToken }))
}

/** One page of these nodes; with `updatedAfter` those that changed later, in the order of their changes. */
export async function pageOfNodes(
  { services, call }: Pick<Input, 'services' | 'call'>,
  request: { type: NodeType; pageSize: number; pageToken: string; updatedAfter?: Timestamp },
) {
  return toPage(await services.catalog.listNodes(request, call))
}

export async function getNode({ services, call }: Input, id: string, type: NodeType) {
  return required((await services.catalog.getNode({ id, type }, call)).node)
}

/** All revisions of a figure or an asset, oldest first, without deleted ones. */
export async function revisionsOf(
  { services, call }: Input,
  { id: parentId, children }: Pick<Node, 'id' | 'children'>,
  type: NodeType,
  first?: { revisions: Revision[]; nextPageToken: string },
) {
  if (children === 0) return []
  return collectPages(async (pageToken) => {
    const request = { parentId, type, pageToken }
    const page = await services.revisions.listRevisions(request, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  }, first && { items: first.revisions, nextPageToken: first.nextPageToken })
}
