import { statement } from '@figbase/kit'
import { sql } from 'kysely'
import type { DataRow, Db } from '../db/schema.js'

export type DataWithKey = DataRow & { key: string }

const withKey = (where: string) =>
  statement<DataWithKey>(`
    select d.id, d.revision_id, d.position, d.name, d.type, d.metadata::text as metadata,
           d.is_clean_room, d.blob_id, d.size_bytes, d.hash, d.processing_error, b.key
      from external_data d join blob b on b.id = d.blob_id where ${where}`)

const byRevision = withKey('d.revision_id = $1 order by d.position')
const byId = withKey('d.id = $1')

/** In the caller's order, with the keys of the bytes. By external_data_position_key. */
export function listData(db: Db, revisionId: string): Promise<DataWithKey[]> {
  return byRevision(db, revisionId)
}

export async function findData(db: Db, id: string): Promise<DataWithKey | undefined> {
  return (await byId(db, id))[0]
}

/** Replaces what earlier attempts recorded. */
export async function updateProcessingErrors(
  tx: Db,
  revisionId: string,
  errors: Map<string, string>,
): Promise<void> {
  if (errors.size === 0) return
  await sql`
    update external_data set processing_error = failure.reason
    from unnest(${[...errors.keys()]}::uuid[], ${[...errors.values()]}::text[]) as failure(id, reason)
    where external_data.id = failure.id and revision_id = ${revisionId}
  `.execute(tx)
}
