import { statement } from '@figbase/kit/db'
import { type NotNull, sql } from 'kysely'
import type { Db, Tx } from '../db/schema.js'
import { moveUpdateReservations } from './content-updates.js'
import type { Counts } from './counts.js'
import type { VisibleNode } from './node-sql.js'

export type Effect = {
  /** The path of the node, itself last; its ancestors get the delta. */
  lineage: string[]
  sizeBytes: bigint
  /** +1 when a child was added, -1 when one was removed. */
  children: number
  /** Added nodes by type, the node included; negative for removed nodes. */
  counts: Counts
  at: string
  actor: string
}

type InsertedDeltas = Pick<Effect, 'sizeBytes' | 'children' | 'at' | 'actor'> &
  Counts & { ancestors: string[]; parentId: string }

const deltas = statement<never, InsertedDeltas>(`
  insert into node_delta (node_id, size_bytes, children, at, actor, analyses, figures, assets, stories,
                          workspace_id)
  select a.id, :sizeBytes::bigint, case when a.id = :parentId::uuid then :children::int else 0 end,
         :at::timestamptz, :actor, :analyses::int, :figures::int, :assets::int, :stories::int,
         (:ancestors::uuid[])[1]
    from unnest(:ancestors::uuid[]) as a (id)`)

/** Inserts a delta row for each ancestor instead of updating it, so that writers do not wait for each other. */
export async function insertDeltas(tx: Tx, effect: Effect): Promise<void> {
  const ancestors = effect.lineage.slice(0, -1)
  const parentId = ancestors.at(-1)
  if (parentId) await deltas(tx, { ...effect, ...effect.counts, ancestors, parentId })
}

/** The columns that an update may change; absent ones stay. */
export type Changes = {
  name?: string
  description?: string
  scope_id?: string | null
  position?: number
}

/** Undefined when the node was deleted or does not have the expected version. */
export function updateNodeColumns(
  tx: Tx,
  id: string,
  actor: string,
  changes: Changes,
  expectedVersion?: number,
) {
  return tx
    .updateTable('node')
    .set({
      ...changes,
      updated_by: actor,
      // The transaction may have begun before a concurrent update that it waited for: keeps the time monotonic.
      updated_on: sql<string>`greatest(now(), updated_on, created_on)`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('deleted_on', 'is', null)
    .$if(expectedVersion !== undefined, (query) =>
      query.where('version', '=', expectedVersion ?? 0),
    )
    .returning(['name', 'updated_on', 'lineage'])
    .$narrowType<{ updated_on: NotNull }>()
    .executeTakeFirst()
}

type MoveValues = Pick<Move, 'ancestors' | 'workspaceId' | 'actor' | 'expectedVersion'> & {
  id: string
  childUpdatedOn: string | null
  name: string | undefined
  description: string | undefined
  scopeId: string | null | undefined
  position: number | undefined
}

const moved = statement<Moved, MoveValues>(`
  update node n
     set parent_id = (:ancestors::uuid[])[cardinality(:ancestors::uuid[])],
         lineage = :ancestors::uuid[] || n.id, workspace_id = :workspaceId,
         name = coalesce(:name, n.name), description = coalesce(:description, n.description),
         updated_by = :actor, version = n.version + 1, scope_id = :scopeId::uuid,
         position = coalesce(:position::int, n.position),
         updated_on = greatest(now(), n.updated_on, n.created_on, :childUpdatedOn::timestamptz)
   where n.id = :id and (:expectedVersion::int is null or n.version = :expectedVersion)
  returning n.name, n.updated_on`)

/**
 * Replaces the first `length` nodes of the paths of the children of `parentIds` by `path`, and returns the ids of the
 * children. Not a prepared statement: few and many parents need different plans. Uses node_children_idx.
 */
async function updateChildPaths(
  tx: Tx,
  parentIds: string[],
  path: string[],
  length: number,
  workspaceId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update node n set lineage = ${path}::uuid[] || n.lineage[${length}::int + 1:],
                      workspace_id = ${workspaceId}
     where n.parent_id = any(${parentIds}::uuid[])
    returning n.id`.execute(tx)
  return rows.map((row) => row.id)
}

// Inserts rows for nodes without sums too, because a concurrent fold keeps the workspace of an existing row. Uses the
// same order as a fold, to avoid deadlocks.
const statsMoved = statement<never>(`
  insert into node_stat (node_id, workspace_id, type)
  select n.id, $2, n.type from node n
   where n.id = any($1::uuid[]) and n.type in ('analysis', 'figure', 'asset', 'story')
   order by n.id
  on conflict on constraint node_stat_pkey do update set workspace_id = excluded.workspace_id`)

export type Move = {
  /** The locked node before the move. */
  node: Pick<VisibleNode, 'id' | 'lineage' | 'child_updated_on'>
  /** From the root down to the new parent. */
  ancestors: string[]
  workspaceId: string
  actor: string
  changes: Changes
  expectedVersion: number | undefined
}

export type Moved = { name: string | null; updated_on: string }

/**
 * Moves a node to another parent and updates the paths of its subtree. The time of the move is not before any change
 * below the node, since the new ancestors now include these changes. Undefined for another version.
 */
export async function moveNode(tx: Tx, move: Move): Promise<Moved | undefined> {
  const { node, ancestors, workspaceId, actor, changes, expectedVersion } = move
  const { id, lineage } = node
  const [after] = await moved(tx, {
    id,
    ancestors,
    workspaceId,
    actor,
    expectedVersion,
    childUpdatedOn: node.child_updated_on,
    name: changes.name,
    description: changes.description,
    scopeId: changes.scope_id,
    position: changes.position,
  })
  if (!after) return undefined
  const path = [...ancestors, id]
  const all: string[] = []
  for (let ids = [id]; ids.length > 0; ) {
    all.push(...ids)
    ids = await updateChildPaths(tx, ids, path, lineage.length, workspaceId)
  }
  if (lineage[0] !== workspaceId) {
    await statsMoved(tx, all, workspaceId)
    await moveUpdateReservations(tx, all, workspaceId)
  }
  return after
}

const ended = statement<never>(`
  with made as (
    update node set auto_assign_pending = false, version = version + 1
     where id = $1 and auto_assign_pending and deleted_on is null
    returning lineage, workspace_id, created_on, created_by
  )
  insert into node_delta (node_id, size_bytes, children, at, actor, workspace_id)
  select a.id, 0, 0, m.created_on, m.created_by, m.workspace_id
    from made m, unnest(m.lineage[:cardinality(m.lineage) - 1]) as a (id)`)

/** Changes neither the log nor the times, because the user changed nothing: the deltas have an old time. */
export async function endAutoAssign(db: Db, id: string): Promise<void> {
  await ended(db, id)
}

/** Inserts the tombstone of the node with this path and returns the time; `isFinal`: it can never be restored. */
export async function markDeleted(
  tx: Tx,
  lineage: string[],
  actor: string,
  isFinal: boolean,
): Promise<string> {
  const id = lineage.at(-1) ?? ''
  const row = await tx
    .insertInto('tombstone')
    .values({
      ...{ node_id: id, deleted_by: actor, lineage },
      purge_began_on: isFinal ? sql`now()` : null,
    })
    .returning('deleted_on')
    .executeTakeFirstOrThrow()
  await tx.updateTable('node').set({ deleted_on: row.deleted_on }).where('id', '=', id).execute()
  return row.deleted_on
}

// A concurrent purge has locked the row, so this statement sees its `purge_began_on`.
const unmarked = statement<{ at: string; lineage: string[] }>(`
  with lifted as (
    delete from tombstone t
     where t.node_id = $1 and t.purge_began_on is null
       and t.deleted_on >= now() - $2::bigint * interval '1 ms'
    returning t.node_id, t.deleted_on
  )
  update node n set deleted_on = null, auto_assign_pending = false
    from lifted l where n.id = l.node_id
  returning greatest(now(), l.deleted_on) as at, n.lineage`)

/**
 * Deletes the tombstone of a locked node and returns the time; undefined when there is no tombstone or its purge has
 * begun.
 */
export async function markRestored(tx: Tx, id: string, retentionMs: number) {
  return (await unmarked(tx, id, retentionMs))[0]
}
