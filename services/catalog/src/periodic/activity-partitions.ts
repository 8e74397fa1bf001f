import type { Periodic } from '@figbase/kit'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'

const monthsAhead = 3

/** Makes the months' partitions of the activity log in time, each replica harmlessly again. */
export async function ensurePartitions({ db }: Pick<Ctx, 'db'>, now = new Date()): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const from = monthAfter(now, ahead)
    const to = monthAfter(now, ahead + 1)
    const name = `activity_${from.slice(0, 7).replace('-', '_')}`
    await sql`create table if not exists ${sql.id(name)} partition of activity
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db)
  }
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
