import { notFound, statement } from '@figbase/kit'
import type { Db, RevisionRow } from '../db/schema.js'

export const summary = `
  id, seq, figure_id, revision_index, is_clean_room, is_processing, processing_attempts, image_hash,
  created_by, created_on, version, short_id`

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

export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  return (await byIds(db, ids)).map((row) => row.id)
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
