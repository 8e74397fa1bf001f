import { statement } from '@figbase/kit'
import { type NotNull, sql } from 'kysely'
import type { Tx } from '../db/schema.js'

export type Effect = {
  /** The path of the node, itself last: the effect is on those above it. */
  lineage: string[]
  sizeBytes: bigint
  /** +1 or -1 when a child came or went. */
  children: number
  at: string
  actor: string
}

const deltas = statement(`
  insert into node_delta (node_id, size_bytes, children, at, actor)
  select a.id, $2::bigint, case when a.id = $3::uuid then $4::int else 0 end, $5::timestamptz, $6
    from unnest($1::uuid[]) as a (id)`)

/** Adds an effect to all ancestors as rows of their own, so that writers do not wait for each other. */
export async function insertDeltas(tx: Tx, effect: Effect): Promise<void> {
  const ancestors = effect.lineage.slice(0, -1)
  const parent = ancestors.at(-1)
  if (!parent) return
  const { sizeBytes, children, at, actor } = effect
  await deltas(tx, ancestors, sizeBytes.toString(), parent, children, at, actor)
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
