import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { alive, type Caller, type emptySums, type ListedNode, nodeColumns } from './node-sql.js'

export type ReadableRoot = { id: string; is_root: boolean; is_recent: boolean }

type RootsOf = Caller & { workspaceId: string | null; recentMax: number }

const inWorkspace = '(:workspaceId::uuid is null or n.workspace_id = :workspaceId)'

/** Read for one id after the other: the planner expects one node at most, and might compare all nodes with all ids. */
const nodeOf = (id: string) => `lateral (select n.* from node n where n.id = ${id} offset 0) n`

const readableRoots = statement<ReadableRoot, RootsOf>(`
  with granted as materialized (
    select g.node_id as id, g.kind from access_grant g
     where g.subject = :username and g.kind <> 'link'
  ), root as (
    select g.id from granted g
    union
    select w.id from granted g join node w on w.organization_id = g.id where g.kind = 'member'
  ), recent as materialized (
    select distinct p.node_id as id from (
      select r.node_id from recent_placement r where r.placed_on > now() - interval '1 hour'
       order by r.placed_on desc limit :recentMax
    ) p
  )
  select n.id, true as is_root, n.lineage && (select array_agg(x.id) from recent x) is true as is_recent
    from root cross join ${nodeOf('root.id')}
   where n.type <> 'organization' and ${inWorkspace}
     and (:onlyWorkspaceId::uuid is null or n.workspace_id = :onlyWorkspaceId) and ${alive}
  union all
  select n.id, false, true from recent cross join ${nodeOf('recent.id')}
   where ${inWorkspace} and ${alive}
     and (:onlyWorkspaceId::uuid is null or n.workspace_id = :onlyWorkspaceId)
     and exists (
       select from access_grant g
        where g.subject = :username and g.kind <> 'link'
          and g.node_id = any(n.lineage || (select w.organization_id from node w where w.id = n.workspace_id))
        offset 0)`)

/**
 * The workspaces of a user and the nodes shared with them; recent ones are at or below a node that was moved or restored
 * in the last hour (the newest `recentMax`). Then those of these nodes that the user may view. Without links. Uses access_grant_pkey,
 * node_organization_idx, node_pkey and recent_placement_time_idx.
 */
export function listReadableRoots(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  workspaceId: string | null,
  recentMax: number,
): Promise<ReadableRoot[]> {
  return readableRoots(db, { username, onlyWorkspaceId, workspaceId, recentMax })
}

const oldPlacements = statement<never>(`
  delete from recent_placement where placed_on < now() - interval '2 hours'`)

/** Uses recent_placement_time_idx. */
export async function deleteOldPlacements(db: Db): Promise<void> {
  await oldPlacements(db)
}

/** Without the sums over the subtree. */
export type PlacedNode = Omit<ListedNode, keyof typeof emptySums> & {
  lineage: string[]
  deleted_root_id: string | null
}

const places = statement<PlacedNode>(`
  select ${nodeColumns}, n.size_bytes,
         (select t.node_id from tombstone t where t.node_id = any(n.lineage)
           order by array_position(n.lineage, t.node_id) limit 1) as deleted_root_id
    from node n where n.id = any($1::uuid[]) and n.state = 'active'`)

/** Active nodes, deleted or not. Uses node_pkey and tombstone_pkey. */
export function readPlaces(db: Db, ids: string[]): Promise<PlacedNode[]> {
  return places(db, ids)
}

const foundTypes = `
  ('workspace', 'analysis', 'figure', 'figure_revision', 'asset', 'asset_revision', 'story')`

const allNodes = statement<{ id: string }>(`
  select n.id from node n
   where n.id > $1::uuid and n.state = 'active' and n.type in ${foundTypes}
   order by n.id limit $2`)

/** Active nodes after an id. Uses node_pkey. */
export async function listAllNodes(db: Db, after: string, limit: number): Promise<string[]> {
  return (await allNodes(db, after, limit)).map(({ id }) => id)
}

const estimate = statement<{ rows: number }>(`
  select greatest(reltuples, 0)::float8 as rows from pg_class where oid = 'node'::regclass`)

/** The number of nodes at the last analysis of the table. */
export async function estimateNodes(db: Db): Promise<number> {
  return Math.round((await estimate(db))[0]?.rows ?? 0)
}
