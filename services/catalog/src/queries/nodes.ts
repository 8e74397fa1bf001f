import { statement } from '@figbase/kit'
import type { Db, HeldRole, NodeKind, StoredNode } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { storageOfNew } from './storages.js'

/** A node with the sums over what is below it, at one moment. */
export type VisibleNode = Omit<
  StoredNode,
  'state' | 'deleted_on' | 'held_bytes' | 'content_version'
> & {
  child_updated_by: string | null
  child_updated_on: string | null
  children: number
}

/** As it stands in a list: its path is that of what the list is of. */
export type ListedNode = Omit<VisibleNode, 'lineage'>

/** The sums of a node that was just made. */
export const nothingBelow = { children: 0, child_updated_by: null, child_updated_on: null }

/** A node with what one caller may do with it. */
export type NodeForCaller = VisibleNode & { roles: HeldRole[] }

/** An analysis that was deleted, or is in another workspace by now, has no assets any more. */
const scope = `
  case when n.scope_id is not null then
    (select a.id from node a
      where a.id = n.scope_id and a.workspace_id = n.workspace_id and a.deleted_on is null)
  end as scope_id`

export const listedColumns = `
  n.id, n.seq, n.type, n.parent_id, n.workspace_id, n.organization_id, n.position, n.name,
  n.description, n.workspace_type, n.created_by, n.created_on, n.updated_by, n.updated_on, n.version,
  n.on_behalf_name, n.on_behalf_email, n.auto_assign_pending, ${scope}`

export const ownColumns = `${listedColumns}, n.lineage`

export const summedSize = 'n.size_bytes + coalesce(s.size_bytes, 0) + coalesce(d.size_bytes, 0)'

/** The folded sums plus what is not folded yet: exact at once. */
export const summedColumns = `
  ${summedSize} as size_bytes,
  (coalesce(s.children, 0) + coalesce(d.children, 0))::int as children,
  greatest(s.child_updated_on, d.at) as child_updated_on,
  case when d.at >= s.child_updated_on or s.child_updated_on is null
       then coalesce(d.actor, s.child_updated_by) else s.child_updated_by end as child_updated_by`

export const sums = `
  left join node_stat s on s.node_id = n.id
  left join lateral (
    select sum(x.size_bytes)::bigint as size_bytes, sum(x.children)::int as children,
           max(x.at) as at, (array_agg(x.actor order by x.at desc, x.id desc))[1] as actor
      from node_delta x where x.node_id = n.id
  ) d on true`

/** `offset 0` keeps it a filter. As the join that the planner makes of it otherwise, it is estimated
 * to leave one row in a thousand, and a page of a list then sorts the whole list. */
export const isAlive = (node: string): string => `${node}.state = 'active'
  and not exists (select from tombstone t where t.node_id = any(${node}.lineage) offset 0)`

export const alive: string = isAlive('n')

/** What governs a node beside its path: the organization of its workspace. */
export const governed = `
  left join node w on w.id = n.workspace_id
  left join organization o on o.node_id = w.organization_id`

/** The function is only called where there is a link. */
const linksWork = '(o.allow_link_sharing is not false and links_allowed())'

/** Whose roles count: values of each statement that asks for them. */
export type Caller = Pick<Subject, 'username' | 'onlyIn'>

type ForCaller = Caller & { id: string }

/**
 * SQL for what gives a caller (`Caller`) a role on the node `n`, with what governs it: as a member of its workspace or
 * of the organization, by a share on its path, by a link on its path while the organization and the site
 * allow links; nothing where the workspace that the caller is bound to is another one. Every role may view.
 * By access_grant_pkey. The space after `[` is needed: `[:` is no name.
 */
export const grants = `
  from access_grant g
   where g.subject = any(array[:username, '']::text[]) and g.node_id = any(n.lineage || w.organization_id)
     and (g.kind <> 'link' or ${linksWork})
     and (:onlyIn::uuid is null or n.workspace_id = :onlyIn)`

/** All roles of the caller. */
export const roles = `(
  select coalesce(array_agg(case g.kind when 'link' then 'link_viewer' else g.role end), '{}')
  ${grants}) as roles`

const nodeById = statement<NodeForCaller, ForCaller>(`
  select ${ownColumns}, ${summedColumns}, ${roles} from node n ${governed} ${sums}
   where n.id = :id and ${alive}`)

/** Undefined when there is none, or it is deleted, or not active yet. Served by node_pkey. */
export async function findNode(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
): Promise<NodeForCaller | undefined> {
  return (await nodeById(db, { id, username, onlyIn }))[0]
}

const activatedById = statement<VisibleNode>(`
  select ${ownColumns}, ${summedColumns} from node n ${sums} where n.id = $1 and n.state = 'active'`)

/** A node that was shown once, deleted or not. Served by node_pkey. */
export async function findActivated(db: Db, id: string): Promise<VisibleNode | undefined> {
  return (await activatedById(db, id))[0]
}

/** A node without its sums, for a permission check. */
export type NodeAccess = Pick<
  NodeForCaller,
  | 'id'
  | 'type'
  | 'parent_id'
  | 'lineage'
  | 'workspace_id'
  | 'organization_id'
  | 'workspace_type'
  | 'roles'
>

const accessColumns = `
  n.id, n.type, n.parent_id, n.lineage, n.workspace_id, n.organization_id, n.workspace_type, ${roles}`

const accessBy = (more = '') => `
  select ${accessColumns} ${more} from node n ${governed} where n.id = :id and ${alive}`

const accessById = statement<NodeAccess, ForCaller>(accessBy())

/** Undefined as findNode, in half its time. */
export async function findAccess(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
): Promise<NodeAccess | undefined> {
  return (await accessById(db, { id, username, onlyIn }))[0]
}

/** A node, deleted or not, with what keeps it from coming back. */
export type DeletedAccess = NodeAccess & {
  name: string | null
  /** Whether it was deleted by itself. */
  is_deleted: boolean
  /** Whether its time is over, or its purge began. */
  is_over: boolean
  /** Whether something that it lives in was moved since. */
  is_moved: boolean
  /** The outermost node that it lives in and that was deleted. */
  parent: Pick<ParentNode, 'id' | 'type' | 'name'> | null
}

const deletedById = statement<DeletedAccess, ForCaller & { retentionMs: number }>(`
  select ${accessColumns}, n.name, t.node_id is not null as is_deleted,
         coalesce(t.purge_began_on is not null
                  or t.deleted_on < now() - :retentionMs::bigint * interval '1 ms', false) as is_over,
         coalesce(t.lineage <> n.lineage, false) as is_moved,
         (select json_build_object('id', a.id, 'type', a.type, 'name', a.name)
            from tombstone x join node a on a.id = x.node_id
           where x.node_id = any(n.lineage) and x.node_id <> n.id
           order by cardinality(a.lineage) limit 1) as parent
    from node n ${governed} left join tombstone t on t.node_id = n.id
   where n.id = :id and n.state = 'active'`)

/** As findAccess, of what was deleted, too: the roles are those that the caller has on its path today. */
export async function findDeleted(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
  retentionMs: number,
): Promise<DeletedAccess | undefined> {
  return (await deletedById(db, { id, username, onlyIn, retentionMs }))[0]
}

/** With the storage in which new data belongs; null: the default. */
export type GrowthAccess = NodeAccess & { storage_id: string | null }

const growthById = statement<GrowthAccess, ForCaller>(accessBy(`, ${storageOfNew} as storage_id`))

/** As findAccess, for who would store something. */
export async function findGrowth(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
): Promise<GrowthAccess | undefined> {
  return (await growthById(db, { id, username, onlyIn }))[0]
}

type ByIds = Caller & { ids: string[]; type: NodeKind | undefined; analysisId: string | null }

const byIds = statement<NodeForCaller, ByIds>(`
  select ${ownColumns}, ${summedColumns}, ${roles}
    from unnest(:ids::uuid[]) with ordinality as asked (id, place)
    join node n on n.id = asked.id ${governed} ${sums}
   where (:type::text is null or n.type = :type) and ${alive}
     and (:analysisId::uuid is null or exists (
       select from node a join node scope on scope.id = a.scope_id
        where a.id = any(n.lineage) and a.scope_id = :analysisId
          and scope.workspace_id = a.workspace_id))
   order by asked.place`)

/**
 * Those of the ids that are live, in their order; of one type, and of what belongs to one live analysis,
 * where that is asked for. By node_pkey.
 */
export function listByIds(
  db: Db,
  ids: string[],
  type: NodeKind | undefined,
  { username, onlyIn }: Subject,
  analysisId: string | null,
): Promise<NodeForCaller[]> {
  return byIds(db, { ids, type, username, onlyIn, analysisId })
}

type Viewers = { id: string; usernames: string[] }

const viewers = statement<Viewers>(`
  select n.id, array_agg(distinct g.subject) as usernames
    from node n left join node w on w.id = n.workspace_id
    join access_grant g on g.node_id = any(n.lineage || w.organization_id)
     and g.subject = any($2::text[]) and g.kind <> 'link'
   where n.id = any($1::uuid[]) and ${alive}
   group by n.id`)

/** Which of the users may view which of the nodes: every role may. By access_grant's indexes. */
export function listViewers(db: Db, ids: string[], usernames: string[]): Promise<Viewers[]> {
  return viewers(db, ids, usernames)
}

export type ParentNode = Pick<StoredNode, 'id' | 'type' | 'name' | 'description' | 'parent_id'> &
  Pick<NodeForCaller, 'roles'>

const parentById = statement<ParentNode, ForCaller>(`
  select n.id, n.type, n.name, n.description, n.parent_id, ${roles} from node n ${governed}
   where n.id = :id`)

/** What a live node lives in. */
export async function findParent(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
): Promise<ParentNode | undefined> {
  return (await parentById(db, { id, username, onlyIn }))[0]
}

const linkById = statement<{ is_allowed: boolean; is_enabled: boolean }>(`
  select ${linksWork} as is_allowed,
         exists (select from access_grant g where g.subject = '' and g.node_id = n.id and g.kind = 'link')
           as is_enabled
    from node n ${governed} where n.id = $1`)

/** Whether there is a link to the node itself, and whether its organization and the site let it work. */
export async function findLink(db: Db, id: string) {
  const [link] = await linkById(db, id)
  return link ?? { is_allowed: false, is_enabled: false }
}

/** Whether the node itself was not deleted; its ancestors are not looked at. */
export async function isLive(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('node').select('id').where('id', '=', id)
  return (await query.where('deleted_on', 'is', null).executeTakeFirst()) !== undefined
}

type Reserved = Pick<StoredNode, 'state' | 'created_by'> & {
  /** Whether something that it lives in was deleted. */
  is_orphan: boolean
}

const reservedById = statement<Reserved>(`
  select n.state, n.created_by,
         exists (select from tombstone t where t.node_id = any(n.lineage)) as is_orphan
    from node n where n.id = $1`)

/** Who reserved a node, and what became of it; also of one that nobody sees. */
export async function findReserved(db: Db, id: string): Promise<Reserved | undefined> {
  return (await reservedById(db, id))[0]
}
