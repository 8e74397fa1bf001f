import type { Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { found } from './found.js'
import { allPages, pages } from './pages.js'

/** The live children of one type, oldest first. */
export async function childrenOf({ services, call }: Input, parent: Node, type: NodeType) {
  if (parent.children === 0) return []
  const { id: parentId } = parent
  return allPages(async (pageToken) => {
    const request = { parentId, type, pageToken }
    const { nodes, nextPageToken } = await services.catalog.listChildren(request, call)
    return { items: nodes, nextPageToken }
  })
}

/** The live assets that belong to one analysis, oldest first. */
export function scopedAssetsOf({ services, call }: Input, { id: analysisId }: Node) {
  return allPages(async (pageToken) => {
    const page = await services.catalog.listScopedAssets({ analysisId, pageToken }, call)
    return { items: page.nodes, nextPageToken: page.nextPageToken }
  })
}

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
export async function revisionsOf({ services, call }: Input, parent: Node, type: NodeType) {
  if (parent.children === 0) return []
  const { id: parentId } = parent
  return allPages(async (pageToken) => {
    const request = { parentId, type, pageToken }
    const page = await services.revisions.listRevisions(request, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  })
}
