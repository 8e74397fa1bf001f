import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listRevisions } from '../queries/revisions.js'
import { toSummary } from '../wire.js'

/** One query for a page of nodes, in the order of the nodes. */
export async function summariesOf(ctx: Ctx, nodes: Node[]) {
  if (nodes.length === 0) return []
  const ids = nodes.map((node) => node.id)
  const rows = new Map((await listRevisions(ctx.db, ids)).map((row) => [row.id, row]))
  return nodes.flatMap((node) => {
    const row = rows.get(node.id)
    return row ? [toSummary(row, node)] : []
  })
}
