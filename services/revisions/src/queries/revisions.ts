import { notFound } from '@figbase/kit'
import { sql } from 'kysely'
import type { Db, NewRevision, RevisionRow } from '../db/schema.js'

const summary = [
  'id',
  'seq',
  'figure_id',
  'revision_index',
  'is_clean_room',
  'is_processing',
  'processing_attempts',
  'activated',
  'image_hash',
  'created_by',
  'created_on',
  'version',
] as const

export type RevisionWithMetadata = RevisionRow & { metadata: string }

/** The next zero-based index of a figure, which stays locked until the transaction ends. */
export async function takeIndex(tx: Db, figureId: string): Promise<number> {
  const { next_index: next } = await tx
    .insertInto('figure_counter')
    .values({ figure_id: figureId, next_index: 1 })
    .onConflict((conflict) =>
      conflict.column('figure_id').doUpdateSet({ next_index: sql`figure_counter.next_index + 1` }),
    )
    .returning('next_index')
    .executeTakeFirstOrThrow()
  return next - 1
}

export async function insertRevision(tx: Db, revision: NewRevision): Promise<RevisionRow> {
  return tx
    .insertInto('figure_revision')
    .values(revision)
    .returning(summary)
    .executeTakeFirstOrThrow()
}

export async function getRevision(db: Db, id: string): Promise<RevisionWithMetadata> {
  const row = await db
    .selectFrom('figure_revision')
    .select(summary)
    .select(sql<string>`metadata::text`.as('metadata'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('the revision')
  return row
}

export function findRevision(db: Db, id: string): Promise<RevisionRow | undefined> {
  return db.selectFrom('figure_revision').select(summary).where('id', '=', id).executeTakeFirst()
}

/** Without metadata, in any order. By figure_revision_pkey. */
export function listRevisions(db: Db, ids: string[]): Promise<RevisionRow[]> {
  return db
    .selectFrom('figure_revision')
    .select(summary)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('figure_revision')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows.map((row) => row.id)
}

export async function updateActivated(db: Db, id: string): Promise<void> {
  await db.updateTable('figure_revision').set({ activated: true }).where('id', '=', id).execute()
}

/** Counts one more attempt at processing; undefined when the revision is gone. */
export async function beginProcessing(db: Db, id: string): Promise<RevisionRow | undefined> {
  return db
    .updateTable('figure_revision')
    .set({
      processing_attempts: sql`case when is_processing then processing_attempts + 1
        else processing_attempts end`,
    })
    .where('id', '=', id)
    .returning(summary)
    .executeTakeFirst()
}

/** False when the revision is gone. */
export async function endProcessing(
  tx: Db,
  id: string,
  imageHash: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('figure_revision')
    .set({ is_processing: false, image_hash: imageHash })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteRevision(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('figure_revision').where('id', '=', id).execute()
}

/** False when it is gone. */
export async function lockRevision(tx: Db, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('figure_revision')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
