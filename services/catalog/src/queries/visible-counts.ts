import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { alive, type Caller } from './node-sql.js'
import { memberRoots, visibleShares } from './visible-roots.js'

/** The types whose nodes can be counted without reading them. */
export type CountedKind = 'organization' | 'workspace' | 'analysis' | 'figure' | 'asset' | 'story'

const columns = { analysis: 'analyses', figure: 'figures', asset: 'assets', story: 'stories' }

// A shared node that lies in a workspace of the caller, or below another shared node, is counted there.
const below = (type: keyof typeof columns) => {
  const column = columns[type]
  return statement<{ count: number }, Caller>(`
    with workspace as materialized (${memberRoots('workspace')}), shared as materialized (${visibleShares}),
    root as (
      select w.id from workspace w
      union all
      select s.id from shared s
       where not exists (select from workspace w where w.id = s.workspace_id)
         and not exists (select from shared o where o.id <> s.id and o.id = any(s.lineage))
    )
    select coalesce(sum((n.type = '${type}')::int + coalesce(s.${column}, 0) + coalesce(d.${column}, 0)), 0)::int
             as count
      from root join node n on n.id = root.id
      left join node_stat s on s.node_id = n.id
      left join lateral (
        select sum(x.${column}) as ${column} from node_delta x where x.node_id = n.id
      ) d on true
     where ${alive}`)
}

const containers = (kind: 'organization' | 'workspace') =>
  statement<{ count: number }, Caller>(`
    select count(*)::int as count from (${memberRoots(kind)}) root join node n on n.id = root.id
     where n.type = '${kind}' and ${alive}`)

const counts = {
  organization: containers('organization'),
  workspace: containers('workspace'),
  analysis: below('analysis'),
  figure: below('figure'),
  asset: below('asset'),
  story: below('story'),
}

export const isCounted = (kind: NodeKind | undefined): kind is CountedKind =>
  kind !== undefined && kind in counts

/**
 * How many nodes the caller can view as a member or by a share. Reads the sums of workspaces and shares, not the nodes.
 * Uses access_grant_pkey, node_organization_idx, node_pkey, node_stat_pkey and node_delta_node_idx.
 */
export async function countVisible(
  db: Db,
  kind: CountedKind,
  { username, onlyWorkspaceId }: Subject,
): Promise<number> {
  const [row] = await counts[kind](db, { username, onlyWorkspaceId })
  return row?.count ?? 0
}
