import { statement } from '@figbase/kit/db'
import type { Db, ThumbnailRow } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'

/** A thumbnail and the location of its bytes: an object of its own, or the data object. */
export type StoredThumbnail = Pick<ThumbnailRow, 'revision_id' | 'width' | 'height' | 'digest'> & {
  storage: string
  key: string
}

const columns = `
  case when t.key is null then b.storage else '${defaultStorage}' end as storage,
  coalesce(t.key, b.key) as key, t.revision_id, t.width, t.height, t.digest`
const joined = `
  thumbnail t
    join external_data d on d.id = t.data_id
    join blob b on b.id = d.blob_id`

export type FoundThumbnail = {
  thumbnail?: StoredThumbnail
  /** There is no thumbnail yet, and one may come. */
  isProcessing: boolean
  /** There is a thumbnail, and no other may come. */
  isFinal: boolean
}

type MaybeThumbnail = { is_processing: boolean } & (StoredThumbnail | { key: null })

/** SQL for the thumbnail of the first revision that has one. */
export const firstThumbnailSql = (ids: string): string => `
  select ${columns}
    from unnest(${ids}) with ordinality as g (revision_id, rank)
    join ${joined} on t.revision_id = g.revision_id
   order by g.rank limit 1`

const firstOrProcessing = statement<MaybeThumbnail>(`
  select r.is_processing, ${columns}
    from unnest($1::uuid[]) with ordinality as g (revision_id, rank)
    join revision r on r.id = g.revision_id
    left join (${joined}) on t.revision_id = r.id
   order by t.revision_id is null, t.revision_id is null and r.is_processing desc, g.rank
   limit 1`)

/**
 * The thumbnail of the first revision that has one and still has the data object. By revision_pkey,
 * thumbnail_pkey, external_data_pkey, blob_pkey.
 */
export async function findFirstThumbnail(db: Db, revisionIds: string[]): Promise<FoundThumbnail> {
  const [row] = await firstOrProcessing(db, revisionIds)
  if (!row) return { isProcessing: false, isFinal: false }
  const { is_processing: isProcessing } = row
  if (row.key === null) return { isProcessing, isFinal: false }
  const isFinal = !isProcessing && row.revision_id === revisionIds[0]
  return { thumbnail: row, isProcessing: false, isFinal }
}

/** SQL: the picture of the revision may still come. By processing_failure_revision_idx. */
export const isUnfinishedSql = (revision: string): string => `(${revision}.is_processing or exists (
  select from processing_failure f where f.revision_id = ${revision}.id and f.step = 'picture'))`

type FirstOfGroup = { is_unfinished: boolean } & (
  | (StoredThumbnail & { place: number })
  | { place: null }
)

const firstOfGroups = statement<FirstOfGroup>(`
  select u.is_unfinished, f.*
    from (select exists (select from revision r
            where r.id = any($2::uuid[]) and ${isUnfinishedSql('r')}) as is_unfinished) u
    left join (
      select distinct on (g.place) g.place, ${columns}
        from unnest($1::int[], $2::uuid[]) with ordinality as g (place, revision_id, rank)
        join ${joined} on t.revision_id = g.revision_id
       order by g.place, g.rank
    ) f on true`)

export type FirstThumbnails = {
  /** In the order of the lists of revisions. */
  thumbnails: (StoredThumbnail | undefined)[]
  /** Whether the picture of one of all these revisions may still come. */
  isUnfinished: boolean
}

/**
 * For each list of revisions, the thumbnail of the first that has one. By the indexes of
 * `findFirstThumbnail`.
 */
export async function listFirstThumbnails(db: Db, groups: string[][]): Promise<FirstThumbnails> {
  const places = groups.flatMap((ids, place) => ids.map(() => place))
  const rows = await firstOfGroups(db, places, groups.flat())
  const found = new Map<number, StoredThumbnail>()
  for (const row of rows) if (row.place !== null) found.set(row.place, row)
  return {
    thumbnails: groups.map((_, place) => found.get(place)),
    isUnfinished: rows[0]?.is_unfinished === true,
  }
}
