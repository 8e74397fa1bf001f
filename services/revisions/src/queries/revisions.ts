import { notFound, statement } from '@figbase/kit'
import type { Db, RevisionRow } from '../db/schema.js'

export const summary = `
  id, seq, type, parent_id, revision_index, is_clean_room, is_processing, processing_attempts,
  image_hash, data_hash, description, description_author, description_written_on, created_by,
  created_on, version, content_version, short_id, derived_from, assigned_from,
  exists (select from thumbnail t where t.revision_id = id) as has_thumbnail`

export type RevisionWithMetadata = RevisionRow & { metadata: string }

export const whole = `${summary}, metadata::text as metadata`

const byId = statement<RevisionWithMetadata>(`select ${whole} from revision where id = $1`)
const locked = statement<RevisionWithMetadata>(`
  select ${whole} from revision where id = $1 for no key update`)

export async function getRevision(db: Db, id: string): Promise<RevisionWithMetadata> {
  const [row] = await byId(db, id)
  if (!row) throw notFound('the revision')
  return row
}

/** Holds it still until the transaction ends: what is read of its data and links after it is exact. */
export async function getRevisionLocked(tx: Db, id: string): Promise<RevisionWithMetadata> {
  const [row] = await locked(tx, id)
  if (!row) throw notFound('the revision')
  return row
}

/** Without metadata. */
export async function getSummary(db: Db, id: string): Promise<RevisionRow> {
  const [row] = await byIds(db, [id])
  if (!row) throw notFound('the revision')
  return row
}

const byIds = statement<RevisionRow>(`
  select ${summary} from revision where id = any($1::uuid[])`)

/** Without metadata, in any order. By revision_pkey. */
export function listRevisions(db: Db, ids: string[]): Promise<RevisionRow[]> {
  return byIds(db, ids)
}

const existing = statement<{ id: string }>(`
  select id from revision where id = any($1::uuid[])
  union all
  select id from revision_update where id = any($1::uuid[])`)

/** Of revisions, and of updates that were committed. By revision_pkey and revision_update_pkey. */
export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  return (await existing(db, ids)).map((row) => row.id)
}

export async function deleteRevision(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('revision').where('id', '=', id).execute()
}

/** False when it is gone. */
export async function lockRevision(tx: Db, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('revision')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
