import type { Periodic } from '@figbase/kit/service'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'

const monthsAhead = 3
// The clock of the database, which dates the entries, may be behind the clock of this process.
const monthsBehind = 1

/** Creates the monthly partitions of the activity log in advance. Idempotent, so each replica may run it. */
export async function ensurePartitions({ db }: Pick<Ctx, 'db'>, now = new Date()): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // `if not exists` alone is not safe: it fails when two replicas pass its check together.
    await sql`select pg_advisory_xact_lock(hashtext('activity partitions'))`.execute(tx)
    for (let ahead = -monthsBehind; ahead <= monthsAhead; ahead++) {
      const from = monthAfter(now, ahead)
      const to = monthAfter(now, ahead + 1)
      const name = `activity_${from.slice(0, 7).replace('-', '_')}`
      await sql`create table if not exists ${sql.id(name)} partition of activity
        for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx)
    }
  })
}

export const activityPartitions: Periodic<Ctx> = {
  name: 'activity-partitions',
  everyMs: 12 * 3_600_000,
  run: (ctx) => ensurePartitions(ctx),
}

function monthAfter(now: Date, months: number) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
    .toISOString()
    .slice(0, 10)
}
