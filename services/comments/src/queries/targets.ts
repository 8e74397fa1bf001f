import { type Executor, statement } from '@figbase/kit'
import type { Selectable } from 'kysely'
import type { TargetKind, TargetTable, Tx } from '../db/schema.js'

export type TargetRow = Selectable<TargetTable>

const locked = statement<TargetRow>(`
  insert into target as t (id, type) values ($1, $2)
  on conflict on constraint target_pkey do update set type = excluded.type
  returning t.id, t.type, t.comments, t.threads, t.content_bytes`)

/** The counts of a target, which is known from then on; who else changes its comments waits. */
export async function lockTarget(tx: Tx, id: string, type: TargetKind): Promise<TargetRow> {
  const [row] = await locked(tx, id, type)
  if (!row) throw new Error('a target was not locked')
  return row
}

const counted = statement<never, Growth & { id: string }>(`
  update target set comments = comments + :comments::int, threads = threads + :threads::int,
         content_bytes = content_bytes + :contentBytes::bigint
   where id = :id`)

export type Growth = { comments: number; threads: number; contentBytes: number }

/** By how much the comments on a target have become more; it is locked. */
export async function countOnTarget(tx: Tx, id: string, growth: Growth): Promise<void> {
  await counted(tx, { id, ...growth })
}

type Counts = Pick<TargetRow, 'comments' | 'threads'>

const counts = statement<Counts>('select comments, threads from target where id = $1')

/** By target_pkey. */
export async function countComments(db: Executor, id: string): Promise<Counts> {
  return (await counts(db, id))[0] ?? { comments: 0, threads: 0 }
}
