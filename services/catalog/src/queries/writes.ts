import { type Insertable, type NotNull, sql } from 'kysely'
import type { NodeTable, Tx } from '../db/schema.js'

export type NewNode = Pick<
  Insertable<NodeTable>,
  'id' | 'type' | 'parent_id' | 'lineage' | 'workspace_id' | 'state' | 'created_by'
> &
  Partial<Pick<Insertable<NodeTable>, 'name' | 'description' | 'workspace_type'>>

export function insertNode(tx: Tx, node: NewNode) {
  return tx.insertInto('node').values(node).returningAll().executeTakeFirstOrThrow()
}

export type Effect = {
  /** The path of the node, itself last: the effect is on those above it. */
  lineage: string[]
  sizeBytes: bigint
  /** +1 or -1 when a child came or went. */
  children: number
  at: string
  actor: string
}

/** Adds an effect to all ancestors as rows of their own, so that writers do not wait for each other. */
export async function insertDeltas(tx: Tx, effect: Effect): Promise<void> {
  const ancestors = effect.lineage.slice(0, -1)
  const parent = ancestors.at(-1)
  if (!parent) return
  const rows = ancestors.map((node_id) => ({
    node_id,
    size_bytes: effect.sizeBytes,
    children: node_id === parent ? effect.children : 0,
    at: effect.at,
    actor: effect.actor,
  }))
  await tx.insertInto('node_delta').values(rows).execute()
}

export async function insertLeaves(
  tx: Tx,
  nodeId: string,
  leaves: { id: string; sizeBytes: bigint }[],
): Promise<void> {
  if (leaves.length === 0) return
  const ids = leaves.map((leaf) => leaf.id)
  const sizes = leaves.map((leaf) => leaf.sizeBytes.toString())
  await sql`insert into leaf (id, node_id, size_bytes)
    select id, ${nodeId}::uuid, size from unnest(${ids}::uuid[], ${sizes}::bigint[]) as l (id, size)`.execute(
    tx,
  )
}

/** Undefined when the node has another version than the caller expects, or was deleted. */
export function updateTexts(
  tx: Tx,
  id: string,
  actor: string,
  changes: { name?: string; description?: string },
  expectedVersion?: number,
) {
  return tx
    .updateTable('node')
    .set({
      ...changes,
      updated_by: actor,
      // The transaction may have begun before the update that it waited for: time never goes back.
      updated_on: sql<string>`greatest(now(), updated_on, created_on)`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('deleted_on', 'is', null)
    .$if(expectedVersion !== undefined, (query) =>
      query.where('version', '=', expectedVersion ?? 0),
    )
    .returning(['name', 'updated_on'])
    .$narrowType<{ updated_on: NotNull }>()
    .executeTakeFirst()
}

export async function markDeleted(tx: Tx, id: string, actor: string): Promise<string> {
  const row = await tx
    .insertInto('tombstone')
    .values({ node_id: id, deleted_by: actor })
    .returning('deleted_on')
    .executeTakeFirstOrThrow()
  await tx.updateTable('node').set({ deleted_on: row.deleted_on }).where('id', '=', id).execute()
  return row.deleted_on
}
