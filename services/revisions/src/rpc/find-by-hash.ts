import type { HandlerContext } from '@connectrpc/connect'
import { forward, invalid, requireUser } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { FindByHashRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { listDataOf } from '../queries/data.js'
import { listHolders } from '../queries/hashes.js'
import { listRevisions } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { toRevision } from '../wire.js'

/** As many as catalog resolves at once. */
const holdersAtOnce = 1000
/** The data of so many are in memory. */
const revisionsAtOnce = 20

export function findByHash(ctx: Ctx): Impl['findByHash'] {
  return async function* (req, call) {
    requireUser(call)
    // Permission comes before shape.
    if (req.analysisId) await visible(ctx, [], req.analysisId, call)
    for await (const nodes of found(ctx, digestIn(req), req.analysisId, call)) {
      for (let at = 0; at < nodes.length; at += revisionsAtOnce) {
        yield* whole(ctx, nodes.slice(at, at + revisionsAtOnce))
      }
    }
  }
}

/** As it is stored: in lower case. */
function digestIn({ hashType, digest }: FindByHashRequest): string {
  if (hashType !== 'blake3') throw invalid('hash_type', 'must be blake3')
  if (!/^[0-9a-f]{64}$/i.test(digest)) throw invalid('digest', 'must have 64 hex digits')
  return digest.toLowerCase()
}

/** Pages of those that the caller can view. */
async function* found(ctx: Ctx, digest: string, analysisId: string, call: HandlerContext) {
  let after: bigint | undefined
  do {
    call.signal.throwIfAborted()
    const holders = await listHolders(ctx.db, digest, holdersAtOnce, after)
    if (holders.length === 0) return
    const ids = holders.map(({ id }) => id)
    yield await visible(ctx, ids, analysisId, call)
    after = holders.length === holdersAtOnce ? holders.at(-1)?.seq : undefined
  } while (after !== undefined)
}

async function visible(ctx: Ctx, ids: string[], scopeId: string, call: HandlerContext) {
  const request = { ids, type: NodeType.ASSET_REVISION, scopeId }
  return (await ctx.catalog.resolveNodes(request, forward(call))).nodes
}

async function* whole(ctx: Ctx, nodes: Node[]) {
  const ids = nodes.map(({ id }) => id)
  const [rows, data] = [await listRevisions(ctx.db, ids), await listDataOf(ctx.db, ids)]
  for (const node of nodes) {
    const row = rows.find(({ id }) => id === node.id)
    const itsData = data.filter((one) => one.revision_id === node.id)
    if (row) yield { revision: toRevision({ ...row, metadata: '' }, node, itsData) }
  }
}
