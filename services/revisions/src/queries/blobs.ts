import { statement } from '@figbase/kit'
import { sql } from 'kysely'
import type { Db } from '../db/schema.js'

/** Gives back the references of a revision's data. By external_data_position_key. */
export async function releaseBlobs(tx: Db, revisionId: string): Promise<void> {
  await sql`
    with n as (
      select blob_id, count(*)::int as refs from external_data
      where revision_id = ${revisionId} group by blob_id
    ), locked as (
      select blob.id, n.refs from blob join n on n.blob_id = blob.id order by digest for update of blob
    )
    update blob set refs = blob.refs - locked.refs from locked where blob.id = locked.id
  `.execute(tx)
}

const purged = statement<{ purged: number }>(`
  with old as materialized (
    select id, blob_id from external_data
     where detached_on < now() - $1 * interval '1 ms'
     order by detached_on limit $2
       for update skip locked
  ), n as (
    select blob_id, count(*)::int as refs from old group by blob_id
  ), locked as materialized (
    select b.id, n.refs from blob b join n on n.blob_id = b.id order by b.digest for update of b
  ), released as (
    update blob b set refs = b.refs - l.refs from locked l where b.id = l.id
  ), gone as (
    delete from external_data d using old where d.id = old.id returning d.id
  )
  select count(*)::int as purged from gone`)

/**
 * Removes data that was detached longer ago than that, with its references to blobs, and answers how much:
 * less than `limit` when there is no more. By external_data_detached_idx.
 */
export async function purgeDetachedData(db: Db, ageMs: number, limit: number): Promise<number> {
  return (await purged(db, ageMs, limit))[0]?.purged ?? 0
}

/** By blob_key_key. */
export async function listBlobKeys(db: Db, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('blob')
    .select('key')
    .where('key', '=', sql<string>`any(${keys})`)
    .execute()
  return rows.map((row) => row.key)
}

/** Blobs that nothing refers to any more. By blob_dead_idx. */
export function listDeadBlobs(db: Db, limit: number) {
  return db.selectFrom('blob').select(['id', 'key']).where('refs', '=', 0).limit(limit).execute()
}

export async function deleteDeadBlobs(db: Db, ids: string[]): Promise<void> {
  await db
    .deleteFrom('blob')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('refs', '=', 0)
    .execute()
}
