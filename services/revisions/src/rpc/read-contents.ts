import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listDataOf } from '../queries/data.js'
import { listWithMetadata } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { assumedNode, toRevision } from '../wire.js'

const revisionsMax = 1000
/** Limits the metadata in memory. */
const revisionsBatch = 8

export function readContents(ctx: Ctx): Impl['readContents'] {
  return async function* ({ revisionIds }, call) {
    requireSystem(call)
    if (revisionIds.length > revisionsMax) {
      throw invalid('revision_ids', `must be at most ${revisionsMax}`)
    }
    const ids = revisionIds.filter(isUuid)
    for (let at = 0; at < ids.length; at += revisionsBatch) {
      call.signal.throwIfAborted()
      const batch = ids.slice(at, at + revisionsBatch)
      const [rows, data] = await Promise.all([
        listWithMetadata(ctx.db, batch),
        listDataOf(ctx.db, batch),
      ])
      for (const row of rows) {
        const own = data.filter((one) => one.revision_id === row.id)
        yield { revision: toRevision(row, assumedNode(row, own), own) }
      }
    }
  }
}
