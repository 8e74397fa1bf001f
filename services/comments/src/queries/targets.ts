import { type Executor, statement } from '@figbase/kit/db'
import type { Selectable } from 'kysely'
import type { TargetKind, TargetTable, Tx } from '../db/schema.js'

export type TargetRow = Selectable<TargetTable>

const locked = statement<TargetRow>(`
  insert into target as t (id, type) values ($1, $2)
  on conflict on constraint target_pkey do update set type = excluded.type
  returning t.id, t.type, t.comments, t.threads, t.content_bytes`)

/** Locks a target, inserting its row if needed, and returns its counts. Other changes of its comments wait. */
export async function lockTarget(tx: Tx, id: string, type: TargetKind): Promise<TargetRow> {
  const [row] = await locked(tx, id, type)
  if (!row) throw new Error('target was not locked')
  return row
}

const counted = statement<never, CountChanges & { id: string }>(`
  update target set comments = comments + :comments::int, threads = threads + :threads::int,
         content_bytes = content_bytes + :contentBytes::bigint
   where id = :id`)

export type CountChanges = { comments: number; threads: number; contentBytes: number }

/** Adds changes to the counts of a locked target. */
export async function addToTargetCounts(tx: Tx, id: string, changes: CountChanges): Promise<void> {
  await counted(tx, { id, ...changes })
}

type Counts = Pick<TargetRow, 'comments' | 'threads'>

const counts = statement<Counts>('select comments, threads from target where id = $1')

/** Uses target_pkey. */
export async function countComments(db: Executor, id: string): Promise<Counts> {
  return (await counts(db, id))[0] ?? { comments: 0, threads: 0 }
}
