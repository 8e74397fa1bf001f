import type { EffectiveRole, StoredNode } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'

/** A node with the sums over its subtree at one moment. */
export type VisibleNode = Omit<
  StoredNode,
  'state' | 'deleted_on' | 'held_bytes' | 'content_version' | 'uses' | 'uses_version'
> & {
  child_updated_by: string | null
  child_updated_on: string | null
  children: number
  /** The number of changes below the node so far. */
  changes: bigint
  /** Null unless it is a workspace. */
  has_compute: boolean | null
  /** Null unless it is a figure. */
  is_stale: boolean | null
}

/** A node in a list, without its path. */
export type ListedNode = Omit<VisibleNode, 'lineage'> & {
  /** Of a figure, from `staleBecause`. */
  stale_because?: StaleReason[] | null
}

/** An asset that makes a figure stale. */
export type StaleReason = {
  asset_id: string
  asset_name: string
  used_id: string
  used_position: number
  newest_id: string
  newest_position: number
  changed_on: string
  changed_by: string
}

/** The sums of a new node. */
export const emptySums = {
  children: 0,
  changes: 0n,
  child_updated_by: null,
  child_updated_on: null,
}

/** A node with the roles of the caller. */
export type NodeForCaller = VisibleNode & {
  roles: EffectiveRole[]
  stale_because?: StaleReason[] | null
}

/** Null when the analysis of an asset was deleted or is in another workspace. */
const scope = `
  case when n.scope_id is not null then
    (select a.id from node a
      where a.id = n.scope_id and a.workspace_id = n.workspace_id and a.deleted_on is null)
  end as scope_id`

export const listedColumns = `
  n.id, n.seq, n.type, n.parent_id, n.workspace_id, n.organization_id, n.position, n.name,
  n.description, n.workspace_type, n.created_by, n.created_on, n.updated_by, n.updated_on, n.version,
  n.on_behalf_name, n.on_behalf_email, n.auto_assign_pending, n.import_source, ${scope},
  case when n.type = 'workspace' then has_compute(coalesce(n.organization_id, n.id)) end as has_compute,
  case when n.type = 'figure' then is_stale(n.id) end as is_stale`

export const nodeColumns = `${listedColumns}, n.lineage`

export const summedSize = 'n.size_bytes + coalesce(s.size_bytes, 0) + coalesce(d.size_bytes, 0)'

/** The folded sums plus the deltas that are not folded yet, so that reads are exact. */
export const summedColumns = `
  ${summedSize} as size_bytes,
  (coalesce(s.children, 0) + coalesce(d.children, 0))::int as children,
  coalesce(s.changes, 0) + coalesce(d.changes, 0) as changes,
  greatest(s.child_updated_on, d.at) as child_updated_on,
  case when d.at >= s.child_updated_on or s.child_updated_on is null
       then coalesce(d.actor, s.child_updated_by) else s.child_updated_by end as child_updated_by`

export const sums = `
  left join node_stat s on s.node_id = n.id
  left join lateral (
    select sum(x.size_bytes)::bigint as size_bytes, sum(x.children)::int as children,
           count(*) as changes, max(x.at) as at, (array_agg(x.actor order by x.at desc, x.id desc))[1] as actor
      from node_delta x where x.node_id = n.id
  ) d on true`

/**
 * `offset 0` keeps the subquery a filter. Otherwise the planner turns it into a join, estimates that it leaves one
 * row in a thousand, and sorts the whole list for a page.
 */
export const isAlive = (node: string): string => `${node}.state = 'active'
  and not exists (select from tombstone t where t.node_id = any(${node}.lineage) offset 0)`

export const alive: string = isAlive('n')

/** SQL that joins the organization of the workspace of the node `n`, for its roles and link settings. */
export const organizationJoin = `
  left join node w on w.id = n.workspace_id
  left join organization o on o.node_id = w.organization_id`

/** SQL. The function is called only for grants that are links. */
export const linksAllowedSql = '(o.allow_link_sharing is not false and links_allowed())'

/** The caller whose roles a statement reads. */
export type Caller = Pick<Subject, 'username' | 'onlyWorkspaceId'>

export type ForCaller = Caller & { id: string }

/**
 * SQL for the grants of a caller on the node `n`, with `organizationJoin`: memberships of its workspace or
 * organization, shares on its path, and links on its path while the organization and the site allow links. No grants
 * when the caller is bound to another workspace. Every role includes VIEW. Uses access_grant_pkey. The space after `[`
 * is needed: `[:username` would not be read as a parameter.
 */
export const grants = `
  from access_grant g
   where g.subject = any(array[:username, '']::text[]) and g.node_id = any(n.lineage || w.organization_id)
     and (g.kind <> 'link' or ${linksAllowedSql})
     and (:onlyWorkspaceId::uuid is null or n.workspace_id = :onlyWorkspaceId)`

/** SQL for all roles of the caller on the node `n`. */
export const roles = `(
  select coalesce(array_agg(case g.kind when 'link' then 'link_viewer' else g.role end), '{}')
  ${grants}) as roles`

/** How many assets tell why a figure is stale. */
const reasonsMax = 10

/**
 * SQL for the assets that make the figure `n` stale and that the caller may view, those that changed last; null if there
 * is none.
 */
export const staleBecause = `(
  select json_agg(json_build_object(
           'asset_id', s.asset_id, 'asset_name', s.asset_name, 'used_id', s.used_id,
           'used_position', s.used_position, 'newest_id', s.newest_id, 'newest_position', s.newest_position,
           'changed_on', s.changed_on::text, 'changed_by', s.changed_by) order by s.changed_on desc, s.asset_id)
    from (
      select u.*, asset.name as asset_name
        from stale_uses(n.id) u
       cross join lateral (
         select n.name from node n ${organizationJoin} where n.id = u.asset_id and exists (select ${grants})
       ) asset
       order by u.changed_on desc, u.asset_id limit ${reasonsMax}
    ) s) as stale_because`
