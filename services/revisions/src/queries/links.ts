import { statement } from '@figbase/kit/db'
import type { Db, LinkRow } from '../db/schema.js'

/**
 * An SQL insert of links to `:assetRevisionIds` with `:useTypes`. `from` is a CTE, with the alias r, that
 * has one row if the links are to be written. `figureRevisionId` is SQL. Existing links get their new
 * position.
 */
export const insertLinksSql = (from: string, figureRevisionId: string): string => `
  insert into asset_link (figure_revision_id, asset_revision_id, use_type, position)
  select ${figureRevisionId}, l.asset_revision_id, l.use_type, l.position - 1
    from ${from} r,
         unnest(:assetRevisionIds::uuid[], :useTypes::smallint[])
           with ordinality as l (asset_revision_id, use_type, position)
   order by l.position
  on conflict (figure_revision_id, asset_revision_id, use_type)
    do update set position = excluded.position`

const ofFigure = statement<LinkRow>(`
  select figure_revision_id, asset_revision_id, use_type from asset_link
   where figure_revision_id = $1 order by position`)

/** In the caller's order; their number is bounded. By asset_link_pkey. */
export function listLinks(db: Db, figureRevisionId: string): Promise<LinkRow[]> {
  return ofFigure(db, figureRevisionId)
}

const ofAsset = statement<LinkRow & { seq: bigint }>(`
  select figure_revision_id, asset_revision_id, use_type, seq from asset_link
   where asset_revision_id = $1 and seq > $2 order by seq limit $3`)

/** Links after `after`, oldest first. By asset_link_asset_idx. */
export function listLinksOfAsset(
  db: Db,
  assetRevisionId: string,
  after: bigint,
  limit: number,
): Promise<(LinkRow & { seq: bigint })[]> {
  return ofAsset(db, assetRevisionId, after.toString(), limit)
}

/** The asset revisions that a figure revision uses, as of this version of it. */
export type Uses = { id: string; version: number; asset_revision_ids: string[] }

const usesOf = statement<Uses>(`
  select r.id, r.version,
         array(select distinct l.asset_revision_id from asset_link l where l.figure_revision_id = r.id)
           as asset_revision_ids
    from revision r where r.id = any($1::uuid[]) and r.type = 'figure_revision'`)

/** By revision_pkey and asset_link_pkey. */
export function listUses(db: Db, ids: string[]): Promise<Uses[]> {
  return usesOf(db, ids)
}

/** Undefined for a revision of an asset. */
export async function findUses(db: Db, id: string): Promise<Uses | undefined> {
  return (await usesOf(db, [id]))[0]
}
