import { forward } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listData } from '../queries/data.js'
import { getRevision } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { toRevision } from '../wire.js'

export function getFigureRevision(ctx: Ctx): Impl['getFigureRevision'] {
  return async ({ id }, call) => {
    const { node } = await ctx.catalog.getNode(
      { id, type: NodeType.FIGURE_REVISION },
      forward(call),
    )
    if (!node) throw new Error('catalog answered without a node')
    const revision = await getRevision(ctx.db, node.id)
    const data = await listData(ctx.db, node.id)
    return { revision: toRevision(revision, node, revision.metadata, data) }
  }
}
