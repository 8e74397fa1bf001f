import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** Where a page begins: after this row, in the order of the changes. */
export type ChangeCursor = { changedOn: string; id: string }

export const beforeAllChanges: ChangeCursor = {
  changedOn: '1970-01-01 00:00:00+00',
  id: '00000000-0000-0000-0000-000000000000',
}

export type PlaceRow = {
  id: string
  workspace_id: string
  analysis_id: string | null
  item_id: string | null
  hidden_by: string | null
  changed_on: string
  created_ms: number
}

/** Without a workspace if it was removed from the index. */
export type LikenessRow = Omit<PlaceRow, 'workspace_id'> & {
  workspace_id: string | null
  /** The vector or the global descriptor; null: there is none of this model or version. */
  content: Buffer | null
}

type Page = ChangeCursor & { limit: number }

const place = `
  p.workspace_id, p.analysis_id, p.item_id, p.hidden_by,
  (extract(epoch from p.created_on) * 1000)::float8 as created_ms`

const changed = (content: string) => `
  select l.revision_id as id, l.changed_on, ${content} as content, ${place}
    from likeness l left join place p on p.id = l.revision_id
   where (l.changed_on, l.revision_id) > (:changedOn::timestamptz, :id::uuid)
   order by l.changed_on, l.revision_id limit :limit`

const vectors = statement<LikenessRow, Page & { model: string }>(
  changed('case when l.model = :model::text then l.vector end'),
)

/** Uses likeness_changed_idx and place_pkey. */
export function listChangedVectors(db: Db, model: string, after: ChangeCursor, limit: number) {
  return vectors(db, { ...after, limit, model })
}

const pictures = statement<LikenessRow, Page & { version: number }>(
  changed('case when l.picture_version = :version::int then l.picture_global end'),
)

/** Uses likeness_changed_idx and place_pkey. */
export function listChangedPictures(db: Db, version: number, after: ChangeCursor, limit: number) {
  return pictures(db, { ...after, limit, version })
}

const moved = statement<PlaceRow, Page>(`
  select p.id, p.changed_on, ${place} from place p
   where (p.changed_on, p.id) > (:changedOn::timestamptz, :id::uuid) and p.type = 'figure_revision'
   order by p.changed_on, p.id limit :limit`)

/** The places of figure revisions. Uses place_changed_idx. */
export function listChangedPlaces(db: Db, after: ChangeCursor, limit: number) {
  return moved(db, { ...after, limit })
}
