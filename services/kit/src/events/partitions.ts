import { sql } from 'kysely'
import type { AnyDb, AnyTransaction } from './event.js'

const daysAhead = 2
// The database's clock may be behind.
const daysBehind = 1
const dayMs = 86_400_000

export type Retention = { sentMs: number; inboxMs: number }

/**
 * Creates the partitions of the coming days and drops expired ones, so that deletion is cheap whatever the number of
 * events.
 */
export async function rotatePartitions(
  db: AnyDb,
  retention: Retention,
  now: Date = new Date(),
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // `if not exists` can still fail if two replicas pass its check concurrently.
    await sql`select pg_advisory_xact_lock(hashtext('figbase event partitions'))`.execute(tx)
    await rotate(tx, 'outbox_sent', retention.sentMs, now)
    await rotate(tx, 'inbox', retention.inboxMs, now)
    const oldest = dayAfter(now, -daysOf(retention.inboxMs))
    await sql`delete from inbox_default where day < ${oldest}::date`.execute(tx)
  })
}

async function rotate(tx: AnyTransaction, table: string, keptMs: number, now: Date) {
  for (let ahead = -daysBehind; ahead <= daysAhead; ahead++) {
    const from = dayAfter(now, ahead)
    const to = dayAfter(now, ahead + 1)
    const name = `${table}_${from.replaceAll('-', '_')}`
    await sql`create table if not exists ${sql.id(name)} partition of ${sql.id(table)}
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx)
  }
  const oldest = `${table}_${dayAfter(now, -daysOf(keptMs)).replaceAll('-', '_')}`
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ${table}::regclass and c.relname ~ '_\\d{4}_\\d\\d_\\d\\d$'
       and c.relname < ${oldest}`.execute(tx)
  for (const { name } of rows) await sql`drop table ${sql.id(name)}`.execute(tx)
}

// A day is dropped when all of it has expired.
const daysOf = (ms: number) => Math.max(1, Math.ceil(ms / dayMs))

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)
}
