import { forward } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { revisionKind } from '../domain/revision-kind.js'
import { listData } from '../queries/data.js'
import { readProgress } from '../queries/progress.js'
import { getRevision as findRevision, getSummary } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { toRevision, toSummary } from '../wire.js'
import { linksOf } from './links.js'

/** For a parent that the caller may not view. */
const hiddenParent = { id: '' }

export function getRevision(ctx: Ctx): Impl['getRevision'] {
  return async ({ id, type, summary, withProcessing }, call) => {
    const { nodeType } = revisionKind(type)
    const withParent = !summary && nodeType === NodeType.FIGURE_REVISION
    const request = { id, type: nodeType, withParent }
    const { node, parent } = await ctx.catalog.getNode(request, forward(call))
    if (!node) throw new Error('catalog returned no node')
    // Before the revision: an end in between then counts as pending.
    const processing = withProcessing ? await readProgress(ctx.db, node.id) : undefined
    const more = processing && { processing }
    if (summary) return { revision: toSummary(await getSummary(ctx.db, node.id), node), ...more }
    const revision = await findRevision(ctx.db, node.id)
    const data = await listData(ctx.db, node.id)
    const whole = toRevision(revision, node, data, await linksOf(ctx, revision, call))
    return {
      revision: { ...whole, ...(withParent && { parent: parent ?? hiddenParent }) },
      ...more,
    }
  }
}
