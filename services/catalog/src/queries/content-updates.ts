import { statement } from '@figbase/kit'
import type { Db, Tx } from '../db/schema.js'
import type { By } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { entryOf, organizationOf } from './activity.js'
import { anyPathLocked, pathIsWhole, pathLocked } from './locks.js'
import { alive } from './nodes.js'

// The path is locked, so that a move brings along every hold that was made before it.
const held = statement<{ at: string }, Hold>(`
  with path as materialized (${pathLocked(':lineage')})
  insert into update_hold (id, node_id, workspace_id, held_bytes, at, created_by)
  select :id::uuid, n.id, (:lineage::uuid[])[1], :heldBytes::bigint,
         greatest(now(), n.created_on, n.updated_on), :by
    from node n
   where n.id = (:lineage::uuid[])[cardinality(:lineage::uuid[])] and ${pathIsWhole(':lineage')}
  returning at`)

export type Hold = {
  id: string
  /** From the root down to the node. */
  lineage: string[]
  by: string
  /** Counted as used until it is activated; null: nothing limits it. */
  heldBytes: bigint | null
}

/** Begins a change of content, and answers its time; undefined when the node was deleted or moved. */
export async function insertHold(db: Db, hold: Hold): Promise<string | undefined> {
  return (await held(db, hold))[0]?.at
}

const ancestors = '(select h.ancestors from held h)'

// First the path, then the node, as a move does.
const locked = statement<{ id: string }>(`
  with held as materialized (
    select n.id, n.lineage, n.lineage[:cardinality(n.lineage) - 1] as ancestors
      from update_hold h join node n on n.id = h.node_id
     where h.id = $1 and n.id = $2 and ($3::text is null or h.created_by = $3)
  ), path as materialized (${anyPathLocked(ancestors)})
  select n.id from held h join node n on n.id = h.id
   where n.lineage = h.lineage and ${pathIsWhole(ancestors)}
     for no key update of n`)

/**
 * Holds the node of an update still, other updates of it too, until the transaction ends: what is read
 * after it is exact. False when there is no such hold of this user (null: of anybody), or the node was
 * moved meanwhile.
 */
export async function lockForUpdate(
  tx: Tx,
  updateId: string,
  nodeId: string,
  heldBy: string | null,
): Promise<boolean> {
  return (await locked(tx, updateId, nodeId, heldBy)).length > 0
}

type AppliedUpdate = Pick<ContentUpdate, 'updateId' | 'entryId'> &
  ContentUpdate['by'] & {
    contentVersion: number | undefined
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
           content_version = case when b.has_leaves then :contentVersion::int else n.content_version end
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

export type Leaves = { contentVersion: number; leaves: { id: string; sizeBytes: bigint }[] }

export type ContentUpdate = {
  updateId: string
  /** All that the node has now; undefined: as they were. */
  content: Leaves | undefined
  by: Omit<By, 'actor'>
  entryId: string
}

/**
 * Applies an update whose node is locked, also when it was deleted since: its owner has committed it. Then
 * it counts up to what was deleted, with which it comes back. False when it was applied or abandoned before. */
export async function applyUpdate(
  tx: Tx,
  { updateId, content, by, entryId }: ContentUpdate,
): Promise<boolean> {
  const leaves = content?.leaves ?? []
  const sizeBytes = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
  const rows = await applied(tx, {
    updateId,
    entryId,
    ...by,
    contentVersion: content?.contentVersion,
    leafIds: leaves.map((leaf) => leaf.id),
    leafSizes: leaves.map((leaf) => leaf.sizeBytes),
    sizeBytes,
    payload: canonicalPayload(content ? { data: leaves.length, size_bytes: sizeBytes } : {}),
  })
  return rows.length > 0
}

/** Who began an update of a node, and whether that is still to be seen. */
export type HeldUpdate = { node_id: string; created_by: string; is_alive: boolean }

const holdById = statement<HeldUpdate>(`
  select h.node_id, h.created_by, exists (select from node n where n.id = h.node_id and ${alive}) as is_alive
    from update_hold h where h.id = $1`)

/** Undefined when it was applied or abandoned. */
export async function findHold(db: Db, updateId: string): Promise<HeldUpdate | undefined> {
  return (await holdById(db, updateId))[0]
}

const removed = statement<never>(`
  delete from update_hold h where h.id = $1 and ($2::text is null or h.created_by = $2)`)

/** Undoes a hold of this user (null: of anybody). */
export async function deleteHold(db: Db, updateId: string, heldBy: string | null): Promise<void> {
  await removed(db, updateId, heldBy)
}

const moved = statement<never>(
  'update update_hold set workspace_id = $2 where node_id = any($1::uuid[])',
)

/** What is held goes with what moves to another workspace. Served by update_hold_node_idx. */
export async function moveHolds(tx: Tx, nodeIds: string[], workspaceId: string): Promise<void> {
  await moved(tx, nodeIds, workspaceId)
}
