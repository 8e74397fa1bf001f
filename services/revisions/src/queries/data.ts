import { statement } from '@figbase/kit/db'
import type { DataRow, Db, RevisionType } from '../db/schema.js'

/** The members of data objects, as one list for each member. */
export type DataLists = {
  dataIds: string[]
  dataNames: (string | null)[]
  dataTypes: number[]
  dataMetadata: string[]
  dataCleanRoom: boolean[]
  dataSizes: string[]
  dataHashes: string[]
}

type Listed = Pick<
  DataRow,
  'id' | 'name' | 'type' | 'metadata' | 'is_clean_room' | 'size_bytes' | 'hash'
>

export const dataLists = (data: Listed[]): DataLists => ({
  dataIds: data.map((one) => one.id),
  dataNames: data.map((one) => one.name),
  dataTypes: data.map((one) => one.type),
  dataMetadata: data.map((one) => one.metadata),
  dataCleanRoom: data.map((one) => one.is_clean_room),
  dataSizes: data.map((one) => one.size_bytes.toString()),
  dataHashes: data.map((one) => one.hash),
})

export type DataWithKey = DataRow & { storage: string; key: string }

const columns = `
  d.id, d.revision_id, d.position, d.name, d.type, d.metadata::text as metadata, d.is_clean_room,
  d.blob_id, d.size_bytes, d.hash, d.processing_error, d.cloned_from, d.created_by, d.created_on,
  d.detached_on, b.storage, b.key`

const byRevision = statement<DataWithKey>(`
  select ${columns} from external_data d join blob b on b.id = d.blob_id
   where d.revision_id = $1 and d.position is not null order by d.position`)

/**
 * The attached data objects, in the caller's order, with the location of their bytes. By
 * external_data_position_key.
 */
export function listData(db: Db, revisionId: string): Promise<DataWithKey[]> {
  return byRevision(db, revisionId)
}

const byRevisions = statement<DataWithKey>(`
  select ${columns} from external_data d join blob b on b.id = d.blob_id
   where d.revision_id = any($1::uuid[]) and d.position is not null
   order by d.revision_id, d.position`)

/** The same for several revisions. By external_data_position_key. */
export function listDataOf(db: Db, revisionIds: string[]): Promise<DataWithKey[]> {
  return byRevisions(db, revisionIds)
}

export type DataOfRevision = DataWithKey & { revision_type: RevisionType }

const byId = statement<DataOfRevision>(`
  select ${columns}, r.type as revision_type
    from external_data d
    join blob b on b.id = d.blob_id
    join revision r on r.id = d.revision_id
   where d.id = $1`)

/** Also finds detached data. By external_data_pkey. */
export async function findData(db: Db, id: string): Promise<DataOfRevision | undefined> {
  return (await byId(db, id))[0]
}

export type DataSize = { id: string; size_bytes: bigint }

const sizes = statement<DataSize>(`
  select id, size_bytes from external_data where revision_id = $1 and position is not null`)

/** The data that counts towards the size of a revision. By external_data_position_key. */
export function listDataSizes(db: Db, revisionId: string): Promise<DataSize[]> {
  return sizes(db, revisionId)
}
