import { prepared } from '@figbase/kit'
import { sql } from 'kysely'
import type { Db, ThumbnailRow } from '../db/schema.js'

/** A thumbnail with the key of its bytes, its own or those of the data object. */
export type StoredThumbnail = Pick<ThumbnailRow, 'width' | 'height' | 'digest'> & { key: string }

/** Undefined also when its data object is gone. By thumbnail_pkey, external_data_pkey, blob_pkey. */
export async function findThumbnail(
  db: Db,
  revisionId: string,
): Promise<StoredThumbnail | undefined> {
  const query = sql<StoredThumbnail>`${prepared}
    select coalesce(t.key, b.key) as key, t.width, t.height, t.digest
      from thumbnail t
      join external_data d on d.id = t.data_id
      join blob b on b.id = d.blob_id
     where t.revision_id = ${revisionId}`
  return (await query.execute(db)).rows[0]
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
