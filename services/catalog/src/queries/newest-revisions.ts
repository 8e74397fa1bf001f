import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import { isAlive } from './node-sql.js'

const newest = (type: NodeKind, place: string, order: string, limit: string) => `
  array(select r.id from node r where r.type = '${type}' and ${place} and ${isAlive('r')}
         order by ${order} limit ${limit})`

const byAge = 'r.created_on desc, r.seq desc'
const byPlace = `r.position desc, ${byAge}`

/**
 * SQL for the ids of the newest revisions at or below a row `of` with id and type: asset revisions of an asset,
 * figure revisions of other types. Uses node_children_idx, node_branch_idx and node_workspace_idx.
 */
export const newestRevisionsOf = (of: string, limit: string): string => `
  case ${of}.type
    when 'figure_revision' then array[${of}.id]
    when 'asset_revision' then array[${of}.id]
    when 'figure' then ${newest('figure_revision', `r.parent_id = ${of}.id`, byPlace, limit)}
    when 'asset' then ${newest('asset_revision', `r.parent_id = ${of}.id`, byPlace, limit)}
    when 'analysis' then
      ${newest('figure_revision', `r.lineage[2] = ${of}.id and cardinality(r.lineage) > 2`, byAge, limit)}
    when 'workspace' then
      ${newest('figure_revision', `r.workspace_id = ${of}.id`, byAge, limit)}
    else '{}'
  end`

const ofNode = statement<{ ids: string[] }>(`
  select ${newestRevisionsOf('n', '$2')} as ids from node n where n.id = $1`)

/** Newest first; empty for a type without revisions below it. */
export async function listNewestRevisions(db: Db, id: string, limit: number): Promise<string[]> {
  return (await ofNode(db, id, limit))[0]?.ids ?? []
}

const ofEach = statement<{ id: string; newest: string[] }>(`
  select n.id, ${newestRevisionsOf('n', '$2')} as newest from node n where n.id = any($1::uuid[])`)

/** The same for each of some nodes, by node id. */
export async function listNewestOfEach(
  db: Db,
  ids: string[],
  limit: number,
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  return new Map((await ofEach(db, ids, limit)).map(({ id, newest }) => [id, newest]))
}
