import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'
import type { Attribution } from '../domain/attribution.js'
import { canonicalPayload } from '../domain/payload.js'
import { entryOf, organizationOf } from './activity.js'
import { anyPathLocked, pathIsIntact, pathLocked } from './locks.js'
import { alive } from './node-sql.js'

// Locks the path, so that a concurrent move takes every earlier reservation along.
const inserted = statement<{ at: string }, UpdateReservation>(`
  with path as materialized (${pathLocked(':lineage')})
  insert into update_hold (id, node_id, workspace_id, held_bytes, at, created_by)
  select :id::uuid, n.id, (:lineage::uuid[])[1], :reservedBytes::bigint,
         greatest(now(), n.created_on, n.updated_on), :by
    from node n
   where n.id = (:lineage::uuid[])[cardinality(:lineage::uuid[])] and ${pathIsIntact(':lineage')}
  returning at`)

export type UpdateReservation = {
  id: string
  /** From the root down to the node. */
  lineage: string[]
  by: string
  /** Counted as used storage until the update is activated; null: no plan limits it. */
  reservedBytes: bigint | null
}

/** Reserves a content update and returns its time; undefined when the node was deleted or moved. */
export async function insertUpdateReservation(
  db: Db,
  reservation: UpdateReservation,
): Promise<string | undefined> {
  return (await inserted(db, reservation))[0]?.at
}

const ancestors = '(select h.ancestors from held h)'

// Locks the path before the node, as a move does, to avoid deadlocks.
const locked = statement<{ id: string }>(`
  with held as materialized (
    select n.id, n.lineage, n.lineage[:cardinality(n.lineage) - 1] as ancestors
      from update_hold h join node n on n.id = h.node_id
     where h.id = $1 and n.id = $2 and ($3::text is null or h.created_by = $3)
  ), path as materialized (${anyPathLocked(ancestors)})
  select n.id from held h join node n on n.id = h.id
   where n.lineage = h.lineage and ${pathIsIntact(ancestors)}
     for no key update of n`)

/**
 * Locks the node of an update until the transaction ends, so that other updates of it wait. False when this user
 * (null: any user) has no such reservation, or the node was moved meanwhile.
 */
export async function lockForUpdate(
  tx: Tx,
  updateId: string,
  nodeId: string,
  reservedBy: string | null,
): Promise<boolean> {
  return (await locked(tx, updateId, nodeId, reservedBy)).length > 0
}

type AppliedUpdate = Pick<ContentUpdate, 'updateId' | 'entryId'> &
  ContentUpdate['by'] & {
    contentVersion: number | undefined
    hasTexts: boolean
    name: string | undefined
    description: string | undefined
    leafIds: string[]
    leafSizes: bigint[]
    sizeBytes: bigint
    payload: string
  }

const applied = statement<{ id: string }, AppliedUpdate>(`
  with taken as (
    delete from update_hold h where h.id = :updateId returning h.node_id, h.at, h.created_by
  ), before as materialized (
    select n.id, n.size_bytes, t.at, t.created_by,
           coalesce(:contentVersion::int >= n.content_version, false) as has_leaves
      from taken t join node n on n.id = t.node_id
  ), given as materialized (
    select g.id, g.size from unnest(:leafIds::uuid[], :leafSizes::bigint[]) as g (id, size)
  ), gone as (
    delete from leaf l using before b
     where b.has_leaves and l.node_id = b.id and not exists (select from given g where g.id = l.id)
  ), come as (
    insert into leaf (id, node_id, size_bytes)
    select g.id, b.id, g.size from before b, given g
     where b.has_leaves and not exists (select from leaf l where l.id = g.id and l.node_id = b.id)
  ), made as (
    update node n
       set updated_by = case when n.updated_on > b.at then n.updated_by else b.created_by end,
           updated_on = greatest(n.updated_on, b.at), version = n.version + 1,
           size_bytes = case when b.has_leaves then :sizeBytes::bigint else n.size_bytes end,
           content_version = case when b.has_leaves then :contentVersion::int else n.content_version end,
           name = case when b.has_leaves and :hasTexts::boolean then :name else n.name end,
           description = case when b.has_leaves and :hasTexts::boolean then :description else n.description end
      from before b where n.id = b.id
    returning n.id, n.type, n.name, n.lineage, n.workspace_id, n.size_bytes - b.size_bytes as growth,
              b.at, b.created_by
  ), path as materialized (
    select a.id, a.type from made m join node a on a.id = any(m.lineage) and a.id <> m.id
  ), delta as (
    insert into node_delta (node_id, size_bytes, children, at, actor, workspace_id)
    select p.id, m.growth, 0, m.at, m.created_by, m.workspace_id from made m, path p
     where not exists (
       select from tombstone t
        where t.node_id = any(m.lineage)
          and array_position(m.lineage, t.node_id) > array_position(m.lineage, p.id) offset 0)
  ) ${entryOf('update', {
    id: ':entryId',
    at: 'm.at',
    actor: 'm.created_by',
    by: [':actorKind', ':requestId', ':isSilent::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: ':payload',
  })}
  select m.id from made m`)

export type Content = {
  contentVersion: number
  leaves: { id: string; sizeBytes: bigint }[]
  /** The size of content that is in no leaf. */
  ownBytes: bigint
  /** Undefined: unchanged. */
  texts: { name: string; description?: string | undefined } | undefined
}

export type ContentUpdate = {
  updateId: string
  /** All data objects of the node after the update, and its texts; undefined: unchanged. */
  content: Content | undefined
  /** For the activity entry; empty: none. */
  note: string
  by: Omit<Attribution, 'actor'>
  entryId: string
}

/**
 * Applies an update of a locked node, even one that was deleted since, because the owning service has committed
 * the content. The sums then change only up to the deleted ancestor, and the rest follows with its restoration.
 * False when the update was applied or abandoned before.
 */
export async function applyUpdate(
  tx: Tx,
  { updateId, content, note, by, entryId }: ContentUpdate,
): Promise<boolean> {
  const { leaves = [], ownBytes = 0n, texts } = content ?? {}
  const sizeBytes = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, ownBytes)
  const { name, description } = texts ?? {}
  const rows = await applied(tx, {
    updateId,
    entryId,
    ...by,
    contentVersion: content?.contentVersion,
    hasTexts: texts !== undefined,
    name,
    description,
    leafIds: leaves.map((leaf) => leaf.id),
    leafSizes: leaves.map((leaf) => leaf.sizeBytes),
    sizeBytes,
    payload: canonicalPayload({
      ...(content && { name, description, data: leaves.length, size_bytes: sizeBytes }),
      ...(note && { note }),
    }),
  })
  return rows.length > 0
}

/** The user who reserved an update, its node, and whether the node is still live. */
export type ReservedUpdate = { node_id: string; created_by: string; is_alive: boolean }

const reservationById = statement<ReservedUpdate>(`
  select h.node_id, h.created_by, exists (select from node n where n.id = h.node_id and ${alive}) as is_alive
    from update_hold h where h.id = $1`)

/** Undefined when the update was applied or abandoned. */
export async function findUpdateReservation(
  db: Db,
  updateId: string,
): Promise<ReservedUpdate | undefined> {
  return (await reservationById(db, updateId))[0]
}

const removed = statement<never>(`
  delete from update_hold h where h.id = $1 and ($2::text is null or h.created_by = $2)`)

/** Deletes a reservation of this user (null: of any user). */
export async function deleteUpdateReservation(
  db: Db,
  updateId: string,
  reservedBy: string | null,
): Promise<void> {
  await removed(db, updateId, reservedBy)
}

const moved = statement<never>(
  'update update_hold set workspace_id = $2 where node_id = any($1::uuid[])',
)

/** Moves the reservations of nodes that move to another workspace. Uses update_hold_node_idx. */
export async function moveUpdateReservations(
  tx: Tx,
  nodeIds: string[],
  workspaceId: string,
): Promise<void> {
  await moved(tx, nodeIds, workspaceId)
}
