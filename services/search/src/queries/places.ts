import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { PlacedObject } from '../engine/port.js'

/** With its time of creation, as ISO 8601. */
export type NewPlace = PlacedObject & { createdOn: string }

const upserted = statement<never, { places: string }>(`
  insert into place as p (id, type, workspace_id, analysis_id, item_id, hidden_by, created_on)
  select n.id, n.type, n."workspaceId", n."analysisId", n."itemId", n."hiddenBy", n."createdOn"
    from json_to_recordset(:places::json)
      as n (id uuid, type text, "workspaceId" uuid, "analysisId" uuid, "itemId" uuid, "hiddenBy" uuid,
            "createdOn" timestamptz)
   order by n.id
  on conflict (id) do update
    set workspace_id = excluded.workspace_id, analysis_id = excluded.analysis_id,
        item_id = excluded.item_id, hidden_by = excluded.hidden_by, changed_on = clock_timestamp()
  where (p.workspace_id, p.analysis_id, p.item_id, p.hidden_by)
    is distinct from (excluded.workspace_id, excluded.analysis_id, excluded.item_id, excluded.hidden_by)`)

/** Uses place_pkey. */
export async function upsertPlaces(db: Db, places: NewPlace[]): Promise<void> {
  const rows = places.map(({ id, type, workspaceId, analysisId, itemId, hiddenBy, createdOn }) => ({
    id,
    type,
    workspaceId,
    analysisId,
    itemId,
    hiddenBy,
    createdOn,
  }))
  if (rows.length > 0) await upserted(db, { places: JSON.stringify(rows) })
}

const removed = statement<never>('delete from place where id = any($1::uuid[])')

export async function removePlaces(db: Db, ids: string[]): Promise<void> {
  await removed(db, ids)
}

const below = statement<{ id: string }>(`
  select id from (
    (select p.id from place p where p.workspace_id = $1 and p.id > $2 order by p.id limit $3)
    union
    (select p.id from place p where p.analysis_id = $1 and p.id > $2 order by p.id limit $3)
    union
    (select p.id from place p where p.item_id = $1 and p.id > $2 order by p.id limit $3)
  ) found order by id limit $3`)

/** A page of the ids at or below an object, after an id. Uses place_workspace_idx, place_analysis_idx, place_item_idx. */
export async function listBelow(
  db: Db,
  id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await below(db, id, after, limit)).map((row) => row.id)
}

const revisions = statement<{ id: string }>(`
  select id from place where item_id = $1 and type in ('figure_revision', 'asset_revision')`)

/** The revisions of a figure or an asset. Uses place_item_idx. */
export async function listRevisionsOf(db: Db, itemId: string): Promise<string[]> {
  return (await revisions(db, itemId)).map(({ id }) => id)
}

const counted = statement<{ objects: string }>('select count(*) as objects from place')

export async function countPlaces(db: Db): Promise<bigint> {
  return BigInt((await counted(db))[0]?.objects ?? 0)
}

const newest = statement<{ id: string; revision_id: string | null }>(`
  select f.id, r.id as revision_id
    from place f
    left join lateral (
      select n.id from place n
       where n.item_id = f.id and n.type = 'figure_revision' and n.hidden_by is null
       order by n.created_on desc, n.id limit 1
    ) r on true
   where f.id = any($1::uuid[]) and f.type = 'figure'`)

/** The newest revision of each figure among these objects; null: it has none. Uses place_pkey and place_item_idx. */
export async function listNewestRevisions(
  db: Db,
  ids: string[],
): Promise<Map<string, string | null>> {
  return new Map((await newest(db, ids)).map((row) => [row.id, row.revision_id]))
}

const times = statement<{ id: string; ms: number }>(`
  select id, (extract(epoch from created_on) * 1000)::float8 as ms from place
   where id = any($1::uuid[])`)

/** When objects were created, in milliseconds since 1970. Uses place_pkey. */
export async function listCreationTimes(db: Db, ids: string[]): Promise<Map<string, number>> {
  return new Map((await times(db, ids)).map(({ id, ms }) => [id, ms]))
}
