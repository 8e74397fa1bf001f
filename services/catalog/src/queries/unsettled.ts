import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'

/** What was reserved and neither activated nor abandoned. */
export type Unsettled = { id: string; seq: bigint }

const pendingPage = statement<Unsettled>(`
  select n.id, n.seq from node n
   where n.state = 'pending' and n.created_on < now() - $1::bigint * interval '1 ms' and n.seq > $2::bigint
   order by n.seq limit $3`)

/** Nodes, reserved this long ago, in the order of their numbers. Served by node_pending_idx. */
export const listPending = (
  db: Db,
  ageMs: number,
  after: bigint,
  limit: number,
): Promise<Unsettled[]> => pendingPage(db, ageMs, after.toString(), limit)

const pendingRemoved = statement<never>(
  "delete from node where id = any($1::uuid[]) and state = 'pending'",
)

export async function deletePending(db: Db, ids: string[]): Promise<void> {
  await pendingRemoved(db, ids)
}

const holdsPage = statement<Unsettled>(`
  select h.id, h.seq from update_hold h
   where h.at < now() - $1::bigint * interval '1 ms' and h.seq > $2::bigint
   order by h.seq limit $3`)

/** Updates of content, as listPending. Served by update_hold_age_idx. */
export const listHolds = (
  db: Db,
  ageMs: number,
  after: bigint,
  limit: number,
): Promise<Unsettled[]> => holdsPage(db, ageMs, after.toString(), limit)

const holdsRemoved = statement<never>('delete from update_hold where id = any($1::uuid[])')

export async function deleteHolds(db: Db, ids: string[]): Promise<void> {
  await holdsRemoved(db, ids)
}
