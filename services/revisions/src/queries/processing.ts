import { prepared } from '@figbase/kit'
import { DataType } from '@figbase/proto/revisions'
import { sql } from 'kysely'
import type { DataRow, Db, RevisionRow, ThumbnailRow } from '../db/schema.js'

/** An image of a revision, with the key of its bytes. */
export type ImageData = Pick<DataRow, 'id' | 'type' | 'metadata' | 'is_clean_room' | 'hash'> & {
  size_bytes: number
  key: string
}

/** What showing a revision needs of it. */
export type Shown = Pick<RevisionRow, 'id' | 'activated' | 'revision_index' | 'created_by'>

export type Begun = Shown &
  Pick<RevisionRow, 'is_processing' | 'processing_attempts'> & { images: ImageData[] }

/**
 * Counts one more attempt at processing; undefined when the revision is gone. The images are in
 * the caller's order. By figure_revision_pkey and external_data_position_key.
 */
export async function beginProcessing(db: Db, id: string): Promise<Begun | undefined> {
  const query = sql<Begun>`${prepared}
    with begun as (
      update figure_revision
         set processing_attempts = processing_attempts + is_processing::int
       where id = ${id}
      returning id, activated, revision_index, created_by, is_processing, processing_attempts
    )
    select begun.*, coalesce(found.images, '[]') as images
      from begun left join lateral (
        select json_agg(json_build_object(
                 'id', d.id, 'type', d.type, 'metadata', d.metadata::text, 'hash', d.hash,
                 'is_clean_room', d.is_clean_room, 'size_bytes', d.size_bytes, 'key', b.key
               ) order by d.position) as images
          from external_data d join blob b on b.id = d.blob_id
         where d.revision_id = begun.id and d.type = ${DataType.IMAGE} and begun.is_processing
      ) found on true`
  return (await query.execute(db)).rows[0]
}

export type Outcome = {
  /** Why for people, by the id of the data object; other data keep what they have. */
  errors: Map<string, string>
  thumbnail?: Omit<ThumbnailRow, 'revision_id'>
}

/**
 * Records what came of the images, all or nothing; undefined when the revision is gone. The digest
 * of the thumbnail's image becomes that of the revision.
 */
export async function endProcessing(
  db: Db,
  id: string,
  { errors, thumbnail }: Outcome,
): Promise<Shown | undefined> {
  const query = sql<Shown>`${prepared}
    with made as (
      select ${thumbnail?.data_id ?? null}::uuid as data_id, ${thumbnail?.key ?? null}::text as key,
             ${thumbnail?.width ?? null}::int as width, ${thumbnail?.height ?? null}::int as height,
             ${thumbnail?.digest ?? null}::text as digest
    ), ended as (
      update figure_revision set is_processing = false, image_hash = made.digest
        from made where id = ${id}
      returning id, activated, revision_index, created_by
    ), failed as (
      update external_data set processing_error = failure.reason
        from unnest(${[...errors.keys()]}::uuid[], ${[...errors.values()]}::text[])
             as failure(id, reason), ended
       where external_data.id = failure.id and external_data.revision_id = ended.id
    ), kept as (
      insert into thumbnail (revision_id, data_id, key, width, height, digest)
      select ended.id, data_id, key, width, height, digest
        from ended, made where data_id is not null
      on conflict (revision_id) do update
         set data_id = excluded.data_id, key = excluded.key, width = excluded.width,
             height = excluded.height, digest = excluded.digest
    )
    select id, activated, revision_index, created_by from ended`
  return (await query.execute(db)).rows[0]
}
