import { actAsSystem } from '@figbase/kit/rpc'
import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import {
  deletePendingNodes,
  deleteUpdateReservations,
  listPendingNodes,
  listUpdateReservations,
} from '../queries/pending.js'

const batchMax = 500

/**
 * Deletes the reservations that interrupted writes left: pending nodes and reservations of updates that the owning
 * service does not know. It activates the ones it knows with its own job.
 */
export const settlePending: Periodic<Ctx> = {
  name: 'settle-pending',
  everyMs: 10_000,
  idleMsMax: 60_000,
  async run(ctx, signal) {
    const pending = await settle(ctx, signal, listPendingNodes, deletePendingNodes)
    const updates = await settle(ctx, signal, listUpdateReservations, deleteUpdateReservations)
    return pending || updates
  },
}

/** Returns whether there were any. */
async function settle(
  { db, cfg, owners, log }: Ctx,
  signal: AbortSignal,
  list: typeof listPendingNodes,
  remove: typeof deletePendingNodes,
) {
  let after = 0n
  // Reads all pages: known reservations may stay for long, and must not block the others.
  for (;;) {
    const batch = await list(db, cfg.pendingSettleMs, after, batchMax)
    const last = batch.at(-1)
    if (!last) return after > 0n
    for (const { kinds, service } of owners) {
      const ids = batch.filter(({ type }) => kinds.includes(type)).map(({ id }) => id)
      if (ids.length === 0) continue
      try {
        const known = await service.findExisting({ ids }, { ...actAsSystem(), signal })
        await remove(db, without(ids, known.ids))
      } catch (err) {
        signal.throwIfAborted()
        // Reservations of other services are settled all the same.
        log.warn({ err, kinds }, 'settling reservations failed; will be repeated')
      }
    }
    after = last.seq
  }
}

function without(ids: string[], known: string[]): string[] {
  const existing = new Set(known)
  return ids.filter((id) => !existing.has(id))
}
