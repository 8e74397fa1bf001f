import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** The asset revisions that a figure revision uses, as of this version of it. */
export type AssetUses = { id: string; version: number; usedIds: string[] }

/** SQL that inserts the uses of the figure revisions in `from`, which have an id; `usedIds` is SQL for an array. */
export const usesInserted = (from: string, usedIds: string): string => `
  insert into asset_use (figure_revision_id, asset_revision_id, asset_id, position)
  select f.id, a.id, a.parent_id, a.position
    from ${from} f join node a on a.id = any(${usedIds}) and a.type = 'asset_revision'
  on conflict on constraint asset_use_pkey do nothing`

const replaced = statement<never, { uses: string }>(`
  with given as materialized (
    select g.id, g.version, g."usedIds" as used_ids
      from jsonb_to_recordset(:uses::jsonb) as g (id uuid, version integer, "usedIds" uuid[])
  ), changed as (
    update node n set uses = cardinality(g.used_ids), uses_version = g.version
      from given g
     where n.id = g.id and n.type = 'figure_revision' and n.state = 'active'
       and (n.uses_version is null or n.uses_version < g.version)
    returning n.id, g.used_ids
  ), gone as (
    delete from asset_use u using changed c
     where u.figure_revision_id = c.id and u.asset_revision_id <> all(c.used_ids)
  )
  ${usesInserted('changed', 'f.used_ids')}`)

/** Replaces the uses of figure revisions, unless newer ones are stored. Uses node_pkey and asset_use_pkey. */
export async function replaceUses(db: Db, uses: AssetUses[]): Promise<void> {
  await replaced(db, { uses: JSON.stringify(uses) })
}

const unknown = statement<{ id: string; seq: bigint }>(`
  select n.id, n.seq from node n
   where n.type = 'figure_revision' and n.state = 'active' and n.uses_version is null and n.seq > $1::bigint
   order by n.seq limit $2`)

/** Figure revisions whose uses are not known, by `seq`. Uses node_unknown_uses_idx. */
export const listWithUnknownUses = (db: Db, after: bigint, limit: number) =>
  unknown(db, after.toString(), limit)
