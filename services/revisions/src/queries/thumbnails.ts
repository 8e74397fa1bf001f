import { statement } from '@figbase/kit'
import type { Db, ThumbnailRow } from '../db/schema.js'

/** A thumbnail with the key of its bytes, its own or those of the data object. */
export type StoredThumbnail = Pick<ThumbnailRow, 'width' | 'height' | 'digest'> & { key: string }

const byRevision = statement<StoredThumbnail>(`
  select coalesce(t.key, b.key) as key, t.width, t.height, t.digest
    from thumbnail t
    join external_data d on d.id = t.data_id
    join blob b on b.id = d.blob_id
   where t.revision_id = $1`)

/** Undefined also when its data object is gone. By thumbnail_pkey, external_data_pkey, blob_pkey. */
export async function findThumbnail(
  db: Db,
  revisionId: string,
): Promise<StoredThumbnail | undefined> {
  return (await byRevision(db, revisionId))[0]
}

/** The object that belongs to the thumbnail alone, if it has one. */
export async function findThumbnailKey(
  db: Db,
  revisionId: string,
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('thumbnail')
    .select('key')
    .where('revision_id', '=', revisionId)
    .executeTakeFirst()
  return row?.key
}
