import { actAsSystem, type Periodic } from '@figbase/kit'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'

const batchMax = 500

/**
 * A creation whose owner died between reserving and storing leaves a pending node: the owner is
 * asked, and what it does not know is removed. What it knows, its own job activates.
 */
export const settlePending: Periodic<Ctx> = {
  name: 'settle-pending',
  everyMs: 10_000,
  async run({ db, cfg, revisions }, signal) {
    let after = 0n
    // To the end: those that their owner knows may wait long, and must not hide the others.
    for (;;) {
      const pending = await listPending(db, cfg.pendingSettleMs, after)
      const last = pending.at(-1)
      if (!last) return
      const ids = pending.map((node) => node.id)
      const known = await revisions.findExisting({ ids }, { ...actAsSystem(), signal })
      await deletePending(db, without(ids, known.ids))
      after = last.seq
    }
  },
}

/** Served by node_pending_idx. */
function listPending(db: Db, ageMs: number, after: bigint) {
  return db
    .selectFrom('node')
    .select(['id', 'seq'])
    .where('state', '=', 'pending')
    .where('created_on', '<', sql<string>`now() - ${ageMs} * interval '1 ms'`)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(batchMax)
    .execute()
}

function without(ids: string[], known: string[]): string[] {
  const existing = new Set(known)
  return ids.filter((id) => !existing.has(id))
}

async function deletePending(db: Db, ids: string[]) {
  await sql`delete from node where id = any(${ids}::uuid[]) and state = 'pending'`.execute(db)
}
