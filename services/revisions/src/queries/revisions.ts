import { statement } from '@figbase/kit/db'
import { notFound } from '@figbase/kit/errors'
import type { Db, RevisionRow } from '../db/schema.js'
import { releaseBlobsSql } from './blobs.js'

export const summaryColumns = `
  id, seq, type, parent_id, revision_index, is_clean_room, is_processing, processing_attempts,
  image_hash, data_hash, description, description_author, description_written_on, created_by,
  created_on, version, content_version, short_id, derived_from, assigned_from,
  import_source,
  (select array[t.digest, t.width::text, t.height::text] from thumbnail t where t.revision_id = id)
    as thumbnail`

export type RevisionWithMetadata = RevisionRow & { metadata: string }

export const columnsWithMetadata = `${summaryColumns}, metadata::text as metadata`

const byId = statement<RevisionWithMetadata>(
  `select ${columnsWithMetadata} from revision where id = $1`,
)
const locked = statement<RevisionWithMetadata>(`
  select ${columnsWithMetadata} from revision where id = $1 for no key update`)

export async function getRevision(db: Db, id: string): Promise<RevisionWithMetadata> {
  const [row] = await byId(db, id)
  if (!row) throw notFound('the revision')
  return row
}

/**
 * Locks the revision until the transaction ends, so that its data and links do not change after they are
 * read.
 */
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
  select ${summaryColumns} from revision where id = any($1::uuid[])`)

/** Without metadata, in any order. By revision_pkey. */
export function listRevisions(db: Db, ids: string[]): Promise<RevisionRow[]> {
  return byIds(db, ids)
}

const withMetadata = statement<RevisionWithMetadata>(`
  select ${columnsWithMetadata} from revision where id = any($1::uuid[])`)

/** In any order. By revision_pkey. */
export function listWithMetadata(db: Db, ids: string[]): Promise<RevisionWithMetadata[]> {
  return withMetadata(db, ids)
}

const existing = statement<{ id: string }>(`
  select id from revision where id = any($1::uuid[])
  union all
  select id from revision_update where id = any($1::uuid[])`)

/** Ids of revisions and of committed updates. By revision_pkey and revision_update_pkey. */
export async function listExistingIds(db: Db, ids: string[]): Promise<string[]> {
  return (await existing(db, ids)).map((row) => row.id)
}

const deleted = statement<{ id: string }>(`
  with target as materialized (
    select id, short_id from revision where id = $1 for update
  ), data as materialized (
    select d.id, d.blob_id from target t join external_data d on d.revision_id = t.id for update of d
  ), ${releaseBlobsSql('data')}, retired as (
    insert into retired_short_id (short_id)
    select short_id from target where $2::boolean and short_id is not null
    on conflict do nothing
  )
  delete from revision r using target t where r.id = t.id returning r.id`)

/**
 * Removes a revision with its data and releases its blobs. False if it is gone. With `retires`, its short
 * id is never used again. By revision_pkey and external_data_position_key.
 */
export async function deleteRevision(
  db: Db,
  id: string,
  { retires }: { retires: boolean },
): Promise<boolean> {
  return (await deleted(db, id, retires)).length > 0
}

const lockedForUpdate = statement<{ id: string }>(
  'select id from revision where id = $1 for update',
)

/** Locks the revision until the transaction ends. False if it is gone. By revision_pkey. */
export async function lockRevision(tx: Db, id: string): Promise<boolean> {
  return (await lockedForUpdate(tx, id)).length > 0
}
