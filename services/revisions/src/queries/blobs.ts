import { statement } from '@figbase/kit/db'
import { sql } from 'kysely'
import type { Db } from '../db/schema.js'
import type { BlobClaim } from '../domain/blobs.js'

export type NewBlob = BlobClaim & { id: string }

/** The members of blobs, as one list for each member. */
export type BlobLists = {
  blobIds: string[]
  blobKeys: string[]
  blobDigests: string[]
  blobSizes: string[]
  blobRefs: number[]
}

export const blobLists = (blobs: NewBlob[]): BlobLists => ({
  blobIds: blobs.map((blob) => blob.id),
  blobKeys: blobs.map((blob) => blob.key),
  blobDigests: blobs.map((blob) => blob.digest),
  blobSizes: blobs.map((blob) => blob.size.toString()),
  blobRefs: blobs.map((blob) => blob.refs),
})

/**
 * SQL that claims the blobs of `BlobLists` in `:storage`, in the order of their digests, so that two
 * uploads wait instead of deadlocking. A live blob with the same bytes gets more references, or else the
 * staged object becomes a blob (blob_live_key). Does nothing unless `from` has its row.
 */
export const claimBlobsSql = (from: string): string => `
    insert into blob as b (id, storage, key, digest, size_bytes, refs)
    select c.id, :storage::text, c.key, c.digest, c.size, c.refs
      from ${from},
           unnest(:blobIds::uuid[], :blobKeys::text[], :blobDigests::text[], :blobSizes::bigint[],
                  :blobRefs::int[]) as c (id, key, digest, size, refs)
     order by c.digest
    on conflict (storage, digest) where refs > 0 do update set refs = b.refs + excluded.refs
    returning b.id, b.digest, b.key`

/**
 * SQL that ends the upload in `mine` with the keys `:stagedKeys`, after blobs were `claimed`.
 * `staged.leftovers` says whether some bytes were stored already, so that their staged copies must be
 * removed.
 */
export const endUploadSql = `staged as (
    select exists (
      select from unnest(:stagedKeys::text[]) as s (key)
       where not exists (select from claimed b where b.key = s.key)) as leftovers
  ), ended as (
    delete from upload u using mine m, staged s where u.id = m.id and not s.leftovers
  ), committed as (
    update upload u set state = 'committed' from mine m, staged s where u.id = m.id and s.leftovers
  )`

/**
 * SQL that releases the references of the rows in `from`, in the order of the digests. The rows are locked
 * and have a `blob_id`. A blob without references is dead for good: it is never claimed again.
 */
export const releaseBlobsSql = (from: string): string => `counted as (
    select blob_id, count(*)::int as refs from ${from} group by blob_id
  ), unclaimed as materialized (
    select b.id, n.refs from blob b join counted n on n.blob_id = b.id order by b.digest for update of b
  ), released as (
    update blob b
       set refs = b.refs - u.refs, dead_since = case when b.refs = u.refs then now() end
      from unclaimed u where b.id = u.id
  )`

const purged = statement<{ purged: number }>(`
  with old as materialized (
    select id, blob_id from external_data
     where detached_on < now() - $1 * interval '1 ms'
     order by detached_on limit $2
       for update skip locked
  ), ${releaseBlobsSql('old')}, gone as (
    delete from external_data d using old where d.id = old.id returning d.id
  )
  select count(*)::int as purged from gone`)

/**
 * Removes data that was detached longer ago than `ageMs`, and releases its blobs. Returns the number of
 * rows, which is less than `limit` if there are no more. By external_data_detached_idx.
 */
export async function purgeDetachedData(db: Db, ageMs: number, limit: number): Promise<number> {
  return (await purged(db, ageMs, limit))[0]?.purged ?? 0
}

/** Those of the keys that belong to blobs of a storage. By blob_key_key. */
export async function listBlobKeys(db: Db, storage: string, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('blob')
    .select('key')
    .where('key', '=', sql<string>`any(${keys})`)
    .where('storage', '=', storage)
    .execute()
  return rows.map((row) => row.key)
}

export type DeadBlob = { id: string; key: string; size_bytes: bigint }

const dead = statement<DeadBlob>(`
  select id, key, size_bytes from blob
   where storage = $1 and refs = 0 and dead_since <= now() - $2 * interval '1 ms'
   order by dead_since limit $3`)

/** Blobs of a storage that have had no references for `graceMs`. By blob_dead_idx. */
export function listDeadBlobs(
  db: Db,
  storage: string,
  graceMs: number,
  limit: number,
): Promise<DeadBlob[]> {
  return dead(db, storage, graceMs, limit)
}

const deletedDead = statement<never>('delete from blob where id = any($1::uuid[]) and refs = 0')

export async function deleteDeadBlobs(db: Db, ids: string[]): Promise<void> {
  await deletedDead(db, ids)
}
