import { statement } from '@figbase/kit/db'
import type { Db, ExportFormatName, ExportRow, Tx } from '../db/schema.js'

const ownerLocked = statement<never>(
  `select pg_advisory_xact_lock(hashtext('story exports'), hashtext($1))`,
)

type NewExport = { id: string; storyId: string; owner: string; format: ExportFormatName }
type Limits = { keptMax: number; retentionMs: number }

const inserted = statement<{ id: string }, NewExport & Limits>(`
  insert into story_export (id, story_id, owner, format)
  select :id::uuid, :storyId::uuid, :owner::text, :format::text
   where (select count(*) from story_export
           where owner = :owner and created_on > now() - :retentionMs::bigint * interval '1 ms') < :keptMax::int
  returning id`)

/** False if its owner has the maximum of exports. Uses story_export_owner_idx. */
export async function insertExport(tx: Tx, row: NewExport, limits: Limits): Promise<boolean> {
  // One after the other, so that the count is right.
  await ownerLocked(tx, row.owner)
  return (await inserted(tx, { ...row, ...limits })).length > 0
}

const found = statement<ExportRow>(`
  select id, story_id, owner, format, size_bytes, file_name, revision_ids from story_export
   where id = $1 and created_on > now() - $2::bigint * interval '1 ms'`)

/** An export that has not expired. Uses story_export_pkey. */
export async function findExport(
  db: Db,
  id: string,
  retentionMs: number,
): Promise<ExportRow | undefined> {
  return (await found(db, id, retentionMs))[0]
}

type Stored = { id: string; sizeBytes: number; fileName: string; revisionIds: string[] }

const stored = statement<{ id: string }, Stored>(`
  update story_export set size_bytes = :sizeBytes, file_name = :fileName, revision_ids = :revisionIds::uuid[]
   where id = :id
  returning id`)

/** False if the export has been deleted. */
export async function setStored(db: Db, file: Stored): Promise<boolean> {
  return (await stored(db, file)).length > 0
}

const expired = statement<{ id: string }>(`
  select id from story_export where created_on <= now() - $1::bigint * interval '1 ms'
   order by created_on limit $2`)

/** The oldest first. Uses story_export_created_idx. */
export async function listExpired(db: Db, retentionMs: number, limit: number): Promise<string[]> {
  return (await expired(db, retentionMs, limit)).map(({ id }) => id)
}

const ofStories = statement<{ id: string }>(
  'select id from story_export where story_id = any($1::uuid[]) limit $2',
)

/** Uses story_export_story_idx. */
export async function listExportsOf(db: Db, storyIds: string[], limit: number): Promise<string[]> {
  return (await ofStories(db, storyIds, limit)).map(({ id }) => id)
}

const existing = statement<{ id: string }>('select id from story_export where id = any($1::uuid[])')

/** Those that have no row. Uses story_export_pkey. */
export async function listUnknown(db: Db, ids: string[]): Promise<string[]> {
  const known = new Set((await existing(db, ids)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

const removed = statement<never>('delete from story_export where id = any($1::uuid[])')

export async function deleteExports(db: Db, ids: string[]): Promise<void> {
  await removed(db, ids)
}
