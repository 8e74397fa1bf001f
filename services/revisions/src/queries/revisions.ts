import { notFound, statement } from '@figbase/kit'
import type { Db, RevisionRow } from '../db/schema.js'

export const summary = `
  id, seq, figure_id, revision_index, is_clean_room, is_processing, processing_attempts, activated,
  image_hash, created_by, created_on, version`

export type RevisionWithMetadata = RevisionRow & { metadata: string }

const whole = statement<RevisionWithMetadata>(`
  select ${summary}, metadata::text as metadata from figure_revision where id = $1`)

export async function getRevision(db: Db, id: string): Promise<RevisionWithMetadata> {
  const [row] = await whole(db, id)
  if (!row) throw notFound('the revision')
  return row
}

const byIds = statement<RevisionRow>(`
  select ${summary} from figure_revision where id = any($1::uuid[])`)

/** Without metadata, in any order. By figure_revision_pkey. */
export function listRevisions(db: Db, ids: string[]): Promise<RevisionRow[]> {
  return byIds(db, ids)
}

export async function findRevision(db: Db, id: string): Promise<RevisionRow | undefined> {
  return (await byIds(db, [id]))[0]
}

export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  return (await byIds(db, ids)).map((row) => row.id)
}

const nowActivated = statement<never>('update figure_revision set activated = true where id = $1')

export async function updateActivated(db: Db, id: string): Promise<void> {
  await nowActivated(db, id)
}

const begun = statement<RevisionRow>(`
  update figure_revision
     set processing_attempts = processing_attempts + is_processing::int
   where id = $1 returning ${summary}`)

/** Counts one more attempt at processing; undefined when the revision is gone. */
export async function beginProcessing(db: Db, id: string): Promise<RevisionRow | undefined> {
  return (await begun(db, id))[0]
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
