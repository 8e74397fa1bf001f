import { statement } from '@figbase/kit'
import type { Db, ThumbnailRow } from '../db/schema.js'
import { defaultStorage } from '../stores/stores.js'

/** A thumbnail and where its bytes are: its own, or those of the data object. */
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

const byRevision = statement<StoredThumbnail>(`
  select ${columns} from ${joined} where t.revision_id = $1`)

/** Undefined also when its data object is gone. By thumbnail_pkey, external_data_pkey, blob_pkey. */
export async function findThumbnail(
  db: Db,
  revisionId: string,
): Promise<StoredThumbnail | undefined> {
  return (await byRevision(db, revisionId))[0]
}

const firstOfGroups = statement<StoredThumbnail & { place: number }>(`
  select distinct on (g.place) g.place, ${columns}
    from unnest($1::int[], $2::uuid[]) with ordinality as g (place, revision_id, rank)
    join ${joined} on t.revision_id = g.revision_id
   order by g.place, g.rank`)

/** For each list of revisions the first that has one. By the indexes of `findThumbnail`. */
export async function listFirstThumbnails(
  db: Db,
  groups: string[][],
): Promise<(StoredThumbnail | undefined)[]> {
  const places = groups.flatMap((ids, place) => ids.map(() => place))
  const found = new Map<number, StoredThumbnail>()
  for (const row of await firstOfGroups(db, places, groups.flat())) found.set(row.place, row)
  return groups.map((_, place) => found.get(place))
}
