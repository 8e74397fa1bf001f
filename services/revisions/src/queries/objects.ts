import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { KeyOwner } from '../domain/object-keys.js'

export type OwnedKey = { key: string; owner: KeyOwner }

type Abandoned = {
  storage: string
  keys: string[]
  /** The owner of each key in the list of its kind, and null in the other lists. */
  uploadIds: (string | null)[]
  revisionIds: (string | null)[]
  resumableIds: (string | null)[]
}

const abandoned = statement<{ key: string }, Abandoned>(`
  select k.key
    from unnest(:keys::text[], :uploadIds::uuid[], :revisionIds::uuid[], :resumableIds::uuid[])
           as k (key, upload_id, revision_id, resumable_id)
   where not exists (select from blob b where b.key = k.key and b.storage = :storage)
     and not exists (select from upload u where u.id = k.upload_id)
     and not exists (select from revision r where r.id = k.revision_id)
     and not exists (select from resumable_upload r where r.id = k.resumable_id)`)

const ids = (keys: OwnedKey[], kind: KeyOwner['kind']) =>
  keys.map(({ owner }) => (owner.kind === kind ? owner.id : null))

/**
 * Those of the keys in a storage that belong to nothing and never will: the row of an upload is written
 * before its objects and deleted by the statement that turns them into blobs; the row of a resumable upload
 * is deleted after its unused objects; a purged revision does not come back. By blob_key_key, upload_pkey,
 * revision_pkey, resumable_upload_pkey.
 */
export async function listAbandoned(db: Db, storage: string, keys: OwnedKey[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await abandoned(db, {
    storage,
    keys: keys.map(({ key }) => key),
    uploadIds: ids(keys, 'upload'),
    revisionIds: ids(keys, 'thumbnail'),
    resumableIds: ids(keys, 'resumable'),
  })
  return rows.map((row) => row.key)
}

const stale = statement<{ key: string; revision_id: string }>(`
  select k.key, r.id as revision_id
    from unnest($1::text[], $2::uuid[]) as k (key, revision_id)
    join revision r on r.id = k.revision_id
    left join thumbnail t on t.revision_id = r.id
   where not r.is_processing
     and (t.digest is null or not starts_with(k.key, 'thumbnails/' || r.id || '/' || t.digest))`)

/**
 * Those of the thumbnail keys that show data that the revision does not have any more. None while the
 * revision is processed, because a new thumbnail is stored before its row. By revision_pkey and
 * thumbnail_pkey.
 */
export function listStaleThumbnails(
  db: Db,
  keys: OwnedKey[],
): Promise<{ key: string; revision_id: string }[]> {
  const thumbnails = keys.filter(({ owner }) => owner.kind === 'thumbnail')
  return stale(
    db,
    thumbnails.map(({ key }) => key),
    thumbnails.map(({ owner }) => owner.id),
  )
}
