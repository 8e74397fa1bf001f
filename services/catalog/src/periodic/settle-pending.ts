import { actAsSystem, type Periodic } from '@figbase/kit'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'

const batchMax = 500

/**
 * A creation whose owner died between reserving and storing leaves a pending node: the owner is
 * asked, and what it does not know is removed. What it knows, its own job activates.
 */
export const settlePending: Periodic<Ctx> = {
  name: 'settle-pending',
  everyMs: 60_000,
  async run({ db, cfg, revisions }, signal) {
    const pending = await db
      .selectFrom('node')
      .select('id')
      .where('state', '=', 'pending')
      .where('created_on', '<', sql<string>`now() - ${cfg.pendingSettleMs} * interval '1 ms'`)
      .orderBy('created_on')
      .limit(batchMax)
      .execute()
    if (pending.length === 0) return
    const ids = pending.map((node) => node.id)
    const known = await revisions.findExisting({ ids }, { ...actAsSystem(), signal })
    const existing = new Set(known.ids)
    const lost = ids.filter((id) => !existing.has(id))
    if (lost.length === 0) return
    await db.deleteFrom('node').where('id', 'in', lost).where('state', '=', 'pending').execute()
  },
}
