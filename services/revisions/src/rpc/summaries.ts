import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { RevisionRow } from '../db/schema.js'
import { listRevisions } from '../queries/revisions.js'
import { toSummary } from '../wire.js'

/** One query for a page of nodes. The result has the order of the nodes. */
export async function summariesOf(ctx: Ctx, nodes: Node[]) {
  if (nodes.length === 0) return []
  const ids = nodes.map((node) => node.id)
  return summariesFrom(await listRevisions(ctx.db, ids), nodes)
}

/** In the order of the nodes. */
export function summariesFrom(found: RevisionRow[], nodes: Node[]) {
  const rows = new Map(found.map((row) => [row.id, row]))
  return nodes.flatMap((node) => {
    const row = rows.get(node.id)
    return row ? [toSummary(row, node)] : []
  })
}
