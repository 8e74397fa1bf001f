import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

export type WrongRefs = { id: string; key: string; refs: number; counted: number }

const wrongRefs = statement<WrongRefs>(`
  select b.id, b.key, b.refs, count(d.id)::int as counted
    from blob b left join external_data d on d.blob_id = b.id
   group by b.id
  having b.refs <> count(d.id)
   order by b.id limit $1`)

/** Blobs with a wrong reference count. Reads one snapshot of both tables. A scan. */
export function listWrongRefs(db: Db, limit: number): Promise<WrongRefs[]> {
  return wrongRefs(db, limit)
}

export type WrongData = { id: string; revision_id: string; key: string }

const wrongData = statement<WrongData>(`
  select d.id, d.revision_id, b.key
    from external_data d join blob b on b.id = d.blob_id
   where d.size_bytes <> b.size_bytes or d.hash <> b.digest
   order by d.id limit $1`)

/** Data with a size or hash that differs from its blob. A scan. */
export function listWrongData(db: Db, limit: number): Promise<WrongData[]> {
  return wrongData(db, limit)
}

const lostThumbnails = statement<{ revision_id: string }>(`
  select t.revision_id from thumbnail t
   where not exists (select from external_data d where d.id = t.data_id and d.revision_id = t.revision_id)
   order by t.revision_id limit $1`)

/** Revisions with a thumbnail of data that they do not have. By external_data_pkey. */
export async function listLostThumbnails(db: Db, limit: number): Promise<string[]> {
  return (await lostThumbnails(db, limit)).map((row) => row.revision_id)
}

const made = statement<never>(`
  create temporary table if not exists stored_object (
    key text collate "C" primary key, size_bytes bigint not null)`)
const emptied = statement<never>('truncate stored_object')

/** Creates a temporary table for the objects of one storage. */
export async function beginListing(session: Db): Promise<void> {
  await made(session)
  await emptied(session)
}

const noted = statement<never>(`
  insert into stored_object (key, size_bytes)
  select * from unnest($1::text[], $2::bigint[])
  on conflict do nothing`)

export async function recordObjects(
  session: Db,
  objects: { key: string; sizeBytes: number }[],
): Promise<void> {
  await noted(
    session,
    objects.map(({ key }) => key),
    objects.map(({ sizeBytes }) => sizeBytes),
  )
}

const analyzed = statement<never>('analyze stored_object')

export async function endListing(session: Db): Promise<void> {
  await analyzed(session)
}

export type WrongObject = {
  blob_id: string
  key: string
  size_bytes: bigint
  /** Null if the object is missing. */
  stored_bytes: bigint | null
}

const wrongObjects = statement<WrongObject>(`
  select b.id as blob_id, b.key, b.size_bytes, o.size_bytes as stored_bytes
    from blob b left join stored_object o on o.key = b.key
   where b.storage = $1 and b.refs > 0 and o.size_bytes is distinct from b.size_bytes
   order by b.id limit $2`)

/** Live blobs of a storage whose object is missing in the listing, or has another size. */
export function listWrongObjects(session: Db, storage: string, limit: number) {
  return wrongObjects(session, storage, limit)
}

const missingThumbnails = statement<{ revision_id: string; key: string }>(`
  select t.revision_id, t.key from thumbnail t left join stored_object o on o.key = t.key
   where t.key is not null and o.key is null
   order by t.revision_id limit $1`)

export function listMissingThumbnails(session: Db, limit: number) {
  return missingThumbnails(session, limit)
}

const missingSegments = statement<{ upload_id: string; key: string }>(`
  select s.upload_id, s.key
    from upload_segment s
    join resumable_upload u on u.id = s.upload_id and u.state = 'open'
    left join stored_object o on o.key = s.key
   where o.key is null
   order by s.key limit $1`)

/** Segments of open resumable uploads that are missing in the listing. */
export function listMissingSegments(session: Db, limit: number) {
  return missingSegments(session, limit)
}

const openSegment = statement<{ key: string }>(`
  select s.key from upload_segment s join resumable_upload u on u.id = s.upload_id and u.state = 'open'
   where s.key = $1`)

/** Whether the segment belongs to an open upload. By upload_segment_key_key. */
export async function isOpenSegment(db: Db, key: string): Promise<boolean> {
  return (await openSegment(db, key)).length > 0
}

export type UnknownObject = { key: string; size_bytes: bigint }

const unknown = statement<UnknownObject>(`
  select o.key, o.size_bytes from stored_object o
   where o.key > $2 and not exists (select from blob b where b.key = o.key and b.storage = $1)
   order by o.key limit $3`)

/** Listed objects without a blob, in the order of their keys. */
export function listUnknownObjects(session: Db, storage: string, after: string, limit: number) {
  return unknown(session, storage, after, limit)
}

const summed = statement<{ live: number; bytes: string; dead: number }>(`
  select count(*) filter (where refs > 0)::int as live,
         coalesce(sum(size_bytes) filter (where refs > 0), 0)::text as bytes,
         count(*) filter (where refs = 0)::int as dead
    from blob where storage = $1`)

export async function sumBlobs(db: Db, storage: string) {
  const [row] = await summed(db, storage)
  return { live: row?.live ?? 0, bytes: Number(row?.bytes ?? 0), dead: row?.dead ?? 0 }
}

export type LiveBlob = { id: string; key: string; digest: string; size_bytes: bigint }

const live = statement<LiveBlob>(`
  select id, key, digest, size_bytes from blob
   where storage = $1 and refs > 0 and id > $2 order by id limit $3`)

/** In the order of the ids. By blob_pkey. */
export function listLiveBlobs(db: Db, storage: string, after: string, limit: number) {
  return live(db, storage, after, limit)
}

const alive = statement<{ id: string }>('select id from blob where id = $1 and refs > 0')

export async function isLive(db: Db, id: string): Promise<boolean> {
  return (await alive(db, id)).length > 0
}

export type DataOfBlob = { id: string; name: string | null; revision_id: string; total: number }

const dataOf = statement<DataOfBlob>(`
  select id, name, revision_id, (count(*) over ())::int as total from external_data
   where blob_id = $1 order by id limit $2`)

/** The data objects with this blob. By external_data_blob_idx. */
export function listDataOfBlob(db: Db, blobId: string, limit: number): Promise<DataOfBlob[]> {
  return dataOf(db, blobId, limit)
}
