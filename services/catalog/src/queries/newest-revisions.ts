import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'
import { isAlive } from './nodes.js'

const newest = (place: string, order: string, limit: string) => `
  array(select r.id from node r where r.type = 'figure_revision' and ${place} and ${isAlive('r')}
         order by ${order} limit ${limit})`

/**
 * The ids of the newest figure revisions at or below a row `of` with id and type. Served by
 * node_children_idx, node_branch_idx and node_workspace_idx.
 */
export const newestRevisionsOf = (of: string, limit: string): string => `
  case ${of}.type
    when 'figure_revision' then array[${of}.id]
    when 'figure' then
      ${newest(`r.parent_id = ${of}.id`, 'r.position desc, r.created_on desc, r.seq desc', limit)}
    when 'analysis' then
      ${newest(`r.lineage[2] = ${of}.id and cardinality(r.lineage) > 2`, 'r.created_on desc, r.seq desc', limit)}
    when 'workspace' then
      ${newest(`r.workspace_id = ${of}.id`, 'r.created_on desc, r.seq desc', limit)}
    else '{}'
  end`

const ofNode = statement<{ ids: string[] }>(`
  select ${newestRevisionsOf('n', '$2')} as ids from node n where n.id = $1`)

/** Newest first; of a type that has no figure revisions below it, none. */
export async function listNewestRevisions(db: Db, id: string, limit: number): Promise<string[]> {
  return (await ofNode(db, id, limit))[0]?.ids ?? []
}
