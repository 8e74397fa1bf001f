import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { TextHit } from '../engine/port.js'
import type { Find } from './by-words.js'

export type ReadableHit = TextHit & { node: Node }

/** The index may be behind moves and deletions: more hits are read in place of those that are dropped. */
const pagesMax = 10
/** Hits of a page of which most may be dropped. */
const selectivePage = 250

type Wanted = { limit: number; workspaceId: string; onlyStale: boolean }

/**
 * The first hits that the caller may view now, as a member or by a share. Catalog confirms each page with one call, so
 * that an index that is behind shows nothing else. Catalog alone knows which figures are stale.
 */
export async function readableHits(
  { catalog }: Pick<Ctx, 'catalog'>,
  find: Find,
  { limit, workspaceId, onlyStale }: Wanted,
  call: HandlerContext,
): Promise<ReadableHit[]> {
  const readable: ReadableHit[] = []
  const pageSize = onlyStale ? Math.max(limit, selectivePage) : limit
  let offset = 0
  for (let page = 0; page < pagesMax && readable.length < limit; page++) {
    const hits = await find(offset, pageSize)
    if (hits.length === 0) break
    const request = { ids: hits.map(({ id }) => id), withoutLinks: true }
    const { nodes } = await catalog.resolveNodes(request, forward(call))
    const byId = new Map(nodes.map((node) => [node.id, node]))
    for (const hit of hits) {
      const node = byId.get(hit.id)
      const isInside = !workspaceId || node?.workspaceId === workspaceId
      const isWanted = isInside && (!onlyStale || node?.isStale)
      if (node && isWanted && readable.length < limit) readable.push({ ...hit, node })
    }
    offset += hits.length
    if (hits.length < pageSize) break
  }
  return readable
}
