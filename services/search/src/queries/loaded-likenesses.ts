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

export type LikenessRow = PlaceRow & {
  model: string | null
  vector: Buffer | null
  picture_version: number | null
  picture_global: Buffer | null
}

const place = `
  p.workspace_id, p.analysis_id, p.item_id, p.hidden_by,
  (extract(epoch from p.created_on) * 1000)::float8 as created_ms`

const changed = statement<LikenessRow, ChangeCursor & { limit: number }>(`
  select l.revision_id as id, l.changed_on, l.model, l.vector, l.picture_version, l.picture_global, ${place}
    from likeness l left join place p on p.id = l.revision_id
   where (l.changed_on, l.revision_id) > (:changedOn::timestamptz, :id::uuid)
   order by l.changed_on, l.revision_id limit :limit`)

/** Without a workspace if it was removed from the index. Uses likeness_changed_idx and place_pkey. */
export function listChangedLikenesses(db: Db, after: ChangeCursor, limit: number) {
  return changed(db, { ...after, limit })
}

const moved = statement<PlaceRow, ChangeCursor & { limit: number }>(`
  select p.id, p.changed_on, ${place} from place p
   where (p.changed_on, p.id) > (:changedOn::timestamptz, :id::uuid) and p.type = 'figure_revision'
   order by p.changed_on, p.id limit :limit`)

/** The places of figure revisions. Uses place_changed_idx. */
export function listChangedPlaces(db: Db, after: ChangeCursor, limit: number) {
  return moved(db, { ...after, limit })
}
