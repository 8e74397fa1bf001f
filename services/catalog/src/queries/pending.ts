import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'

/** A reservation that was neither activated nor abandoned. */
export type Pending = { id: string; type: NodeKind; seq: bigint }

const pendingPage = statement<Pending>(`
  select n.id, n.type, n.seq from node n
   where n.state = 'pending' and n.created_on < now() - $1::bigint * interval '1 ms' and n.seq > $2::bigint
   order by n.seq limit $3`)

/** Pending nodes older than `ageMs`, by `seq`. Uses node_pending_idx. */
export const listPendingNodes = (
  db: Db,
  ageMs: number,
  after: bigint,
  limit: number,
): Promise<Pending[]> => pendingPage(db, ageMs, after.toString(), limit)

const pendingRemoved = statement<never>(
  "delete from node where id = any($1::uuid[]) and state = 'pending'",
)

export async function deletePendingNodes(db: Db, ids: string[]): Promise<void> {
  await pendingRemoved(db, ids)
}

const updatesPage = statement<Pending>(`
  select h.id, (select n.type from node n where n.id = h.node_id) as type, h.seq from update_hold h
   where h.at < now() - $1::bigint * interval '1 ms' and h.seq > $2::bigint
   order by h.seq limit $3`)

/** Reservations of content updates, as listPendingNodes. Uses update_hold_age_idx and node_pkey. */
export const listUpdateReservations = (
  db: Db,
  ageMs: number,
  after: bigint,
  limit: number,
): Promise<Pending[]> => updatesPage(db, ageMs, after.toString(), limit)

const updatesRemoved = statement<never>('delete from update_hold where id = any($1::uuid[])')

export async function deleteUpdateReservations(db: Db, ids: string[]): Promise<void> {
  await updatesRemoved(db, ids)
}
