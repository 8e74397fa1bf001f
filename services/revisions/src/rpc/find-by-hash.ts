import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { FindByHashRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { listDataOf } from '../queries/data.js'
import { listHashMatches } from '../queries/hashes.js'
import { listRevisions } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { toRevision } from '../wire.js'

/** The maximum of catalog.ResolveNodes. */
const matchesMax = 1000
/** Limits the data in memory. */
const revisionsBatch = 20

export function findByHash(ctx: Ctx): Impl['findByHash'] {
  return async function* (req, call) {
    requireUser(call)
    // Permission is checked before the values are.
    if (req.analysisId) await visible(ctx, [], req.analysisId, call)
    for await (const nodes of visiblePages(ctx, digestIn(req), req.analysisId, call)) {
      for (let at = 0; at < nodes.length; at += revisionsBatch) {
        yield* withData(ctx, nodes.slice(at, at + revisionsBatch))
      }
    }
  }
}

/** In lower case, as it is stored. */
function digestIn({ hashType, digest }: FindByHashRequest): string {
  if (hashType !== 'blake3') throw invalid('hash_type', 'must be blake3')
  if (!/^[0-9a-f]{64}$/i.test(digest)) throw invalid('digest', 'must have 64 hex digits')
  return digest.toLowerCase()
}

/** Pages of the matches that the caller can view. */
async function* visiblePages(ctx: Ctx, digest: string, analysisId: string, call: HandlerContext) {
  let after: bigint | undefined
  do {
    call.signal.throwIfAborted()
    const matches = await listHashMatches(ctx.db, digest, matchesMax, after)
    if (matches.length === 0) return
    const ids = matches.map(({ id }) => id)
    yield await visible(ctx, ids, analysisId, call)
    after = matches.length === matchesMax ? matches.at(-1)?.seq : undefined
  } while (after !== undefined)
}

async function visible(ctx: Ctx, ids: string[], scopeId: string, call: HandlerContext) {
  const request = { ids, type: NodeType.ASSET_REVISION, scopeId }
  return (await ctx.catalog.resolveNodes(request, forward(call))).nodes
}

async function* withData(ctx: Ctx, nodes: Node[]) {
  const ids = nodes.map(({ id }) => id)
  const [rows, data] = [await listRevisions(ctx.db, ids), await listDataOf(ctx.db, ids)]
  for (const node of nodes) {
    const row = rows.find(({ id }) => id === node.id)
    const itsData = data.filter((one) => one.revision_id === node.id)
    if (row) yield { revision: toRevision({ ...row, metadata: '' }, node, itsData) }
  }
}
