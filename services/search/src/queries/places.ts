import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { toJson } from '../db/to-json.js'
import type { PlacedObject } from '../engine/port.js'

/** With its time of creation, as ISO 8601. Of a revision: with what is indexed of it, if that has changed. */
export type NewPlace = PlacedObject & { createdOn: string; content?: Content }

/** The id before those of all places. */
export const beforeAllPlaces = '00000000-0000-0000-0000-000000000000'

/** The version of a revision, 0 if it is being processed, and the number of its texts. */
export type Content = { version: number; texts: number }

const upserted = statement<{ id: string }, { places: string; readOn: string | undefined }>(`
  insert into place as p (id, type, workspace_id, analysis_id, item_id, hidden_by, created_on, read_on, version,
                          texts)
  select n.id, n.type, n."workspaceId", n."analysisId", n."itemId", n."hiddenBy", n."createdOn",
         coalesce(:readOn::timestamptz, now()), n.version, n.texts
    from json_to_recordset(:places::json)
      as n (id uuid, type text, "workspaceId" uuid, "analysisId" uuid, "itemId" uuid, "hiddenBy" uuid,
            "createdOn" timestamptz, version int, texts int)
   order by n.id
  on conflict (id) do update
    set workspace_id = excluded.workspace_id, analysis_id = excluded.analysis_id,
        item_id = excluded.item_id, hidden_by = excluded.hidden_by, read_on = excluded.read_on,
        version = coalesce(excluded.version, p.version), texts = coalesce(excluded.texts, p.texts),
        changed_on = case
          when (p.workspace_id, p.analysis_id, p.item_id, p.hidden_by) is distinct from
               (excluded.workspace_id, excluded.analysis_id, excluded.item_id, excluded.hidden_by)
          then clock_timestamp() else p.changed_on end
  where p.read_on <= excluded.read_on
  returning p.id`)

/**
 * `readOn`: the time of the database before catalog was asked; default: now. Another process may have written what it
 * read later: such places stay. Returns the ids of the others. Uses place_pkey.
 */
export async function upsertPlaces(
  db: Db,
  places: NewPlace[],
  readOn?: string,
): Promise<Set<string>> {
  if (places.length === 0) return new Set()
  const rows = places.map((one) => {
    const { id, type, workspaceId, analysisId, itemId, hiddenBy, createdOn, content } = one
    return { id, type, workspaceId, analysisId, itemId, hiddenBy, createdOn, ...content }
  })
  const written = await upserted(db, { places: toJson(rows), readOn })
  return new Set(written.map(({ id }) => id))
}

const removed = statement<never>('delete from place where id = any($1::uuid[])')

export async function removePlaces(db: Db, ids: string[]): Promise<void> {
  await removed(db, ids)
}

const below = statement<{ id: string; now: string }>(`
  select id, now() as now from (
    (select p.id from place p where p.workspace_id = $1 and p.id > $2 order by p.id limit $3)
    union
    (select p.id from place p where p.analysis_id = $1 and p.id > $2 order by p.id limit $3)
    union
    (select p.id from place p where p.item_id = $1 and p.id > $2 order by p.id limit $3)
  ) found order by id limit $3`)

/**
 * A page of the ids at or below an object, after an id, and the time of the database. Uses place_workspace_idx,
 * place_analysis_idx and place_item_idx.
 */
export async function listBelow(
  db: Db,
  id: string,
  after: string,
  limit: number,
): Promise<{ ids: string[]; listedOn: string | undefined }> {
  const rows = await below(db, id, after, limit)
  return { ids: rows.map((row) => row.id), listedOn: rows[0]?.now }
}

const revisions = statement<{ id: string }>(`
  select id from place
   where item_id = $1 and id > $2 and type in ('figure_revision', 'asset_revision')
   order by id limit $3`)

/** A page of the revisions of a figure or an asset, after an id. Uses place_item_idx. */
export async function listRevisionsOf(
  db: Db,
  itemId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await revisions(db, itemId, after, limit)).map(({ id }) => id)
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

/** The newest revision of each figure among these objects; null: it has none. Uses place_pkey and place_item_newest_idx. */
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
