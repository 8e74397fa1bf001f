import { actAsSystem, type Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { deleteHolds, deletePending, listHolds, listPending } from '../queries/unsettled.js'

const batchMax = 500

/**
 * A write whose owner died between reserving and storing leaves a pending node, or a hold of an update:
 * the owner is asked, and what it does not know is removed. What it knows, its own job activates.
 */
export const settlePending: Periodic<Ctx> = {
  name: 'settle-pending',
  everyMs: 10_000,
  idleMsMax: 60_000,
  async run(ctx, signal) {
    const pending = await settle(ctx, signal, listPending, deletePending)
    const holds = await settle(ctx, signal, listHolds, deleteHolds)
    return pending || holds
  },
}

/** Answers whether there were any. */
async function settle(
  { db, cfg, revisions }: Ctx,
  signal: AbortSignal,
  list: typeof listPending,
  remove: typeof deletePending,
) {
  let after = 0n
  // To the end: those that their owner knows may wait long, and must not hide the others.
  for (;;) {
    const batch = await list(db, cfg.pendingSettleMs, after, batchMax)
    const last = batch.at(-1)
    if (!last) return after > 0n
    const ids = batch.map((one) => one.id)
    const known = await revisions.findExisting({ ids }, { ...actAsSystem(), signal })
    await remove(db, without(ids, known.ids))
    after = last.seq
  }
}

function without(ids: string[], known: string[]): string[] {
  const existing = new Set(known)
  return ids.filter((id) => !existing.has(id))
}
