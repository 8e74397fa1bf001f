import { sql } from 'kysely'
import type { DataRow, Db, NewData } from '../db/schema.js'

const columns = [
  'external_data.id',
  'revision_id',
  'position',
  'name',
  'type',
  'is_clean_room',
  'blob_id',
  'external_data.size_bytes',
  'hash',
  'processing_error',
] as const

/** A statement takes 65,535 parameters. */
const rowsMax = 1000

export type DataWithKey = DataRow & { key: string }

export async function insertData(tx: Db, data: NewData[]): Promise<void> {
  for (let at = 0; at < data.length; at += rowsMax) {
    const rows = data.slice(at, at + rowsMax)
    await tx.insertInto('external_data').values(rows).execute()
  }
}

/** In the caller's order, with the keys of the bytes. By external_data_position_key. */
export function listData(db: Db, revisionId: string): Promise<DataWithKey[]> {
  return withKey(db).where('revision_id', '=', revisionId).orderBy('position').execute()
}

export function findData(db: Db, id: string): Promise<DataWithKey | undefined> {
  return withKey(db).where('external_data.id', '=', id).executeTakeFirst()
}

const withKey = (db: Db) =>
  db
    .selectFrom('external_data')
    .innerJoin('blob', 'blob.id', 'blob_id')
    .select(columns)
    .select([sql<string>`external_data.metadata::text`.as('metadata'), 'blob.key'])

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
