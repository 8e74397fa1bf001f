import { type Cursor, statement } from '@figbase/kit/db'
import type { Updateable } from 'kysely'
import type { Db, OrganizationTable, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { ChangedNode } from './changed-nodes.js'
import {
  alive,
  type Caller,
  isAlive,
  type ListedNode,
  listedColumns,
  summedColumns,
  sums,
} from './node-sql.js'
import { type ListView, lastChangeOf, type OrderedNode, orderedList } from './ordered-list.js'
import { memberRoots } from './visible-roots.js'

/** The settings of an organization, with the sums over its workspaces at this moment. */
export type OrganizationDetails = Pick<
  ListedNode,
  'size_bytes' | 'children' | 'child_updated_on' | 'child_updated_by'
> & {
  node_id: string
  logo: Buffer | null
  allow_link_sharing: boolean
  allow_per_workspace_storage: boolean
}

const detailsOf = statement<OrganizationDetails>(`
  select o.node_id, o.logo, o.allow_link_sharing, o.allow_per_workspace_storage, t.*
    from organization o
   cross join lateral (
     select count(*)::int as children, coalesce(sum(w.size_bytes), 0)::bigint as size_bytes,
            max(w.at) as child_updated_on,
            (array_agg(w.actor order by w.at desc, w.seq desc))[1] as child_updated_by
       from (
         select m.seq, m.size_bytes, greatest(m.created_on, m.updated_on, m.child_updated_on) as at,
                case greatest(m.created_on, m.updated_on, m.child_updated_on)
                  when m.child_updated_on then m.child_updated_by
                  when m.updated_on then m.updated_by else m.created_by end as actor
           from (
             select n.seq, n.created_on, n.created_by, n.updated_on, n.updated_by, ${summedColumns}
               from node n ${sums} where n.organization_id = o.node_id and ${alive}
           ) m
       ) w
   ) t
   where o.node_id = any($1::uuid[])`)

/** Uses organization_pkey and node_organization_idx. */
export function listDetails(db: Db, ids: string[]): Promise<OrganizationDetails[]> {
  return detailsOf(db, ids)
}

type ContainersPage = Caller & { limit: number }
type ChangedPage = ContainersPage & { updatedAfter: string }

export type ContainerKind = 'organization' | 'workspace'

// Much faster to plan than readablePage, which also reads shares.
const rootsOf = (kind: ContainerKind) => `(${memberRoots(kind)}) root join node n on n.id = root.id`
const visible = (kind: ContainerKind) => `n.type = '${kind}' and ${alive}`

/** Nothing is below an organization in the tree: its workspaces have changed it. */
const changedOn: Record<ContainerKind, string> = {
  workspace: lastChangeOf('n'),
  organization: `greatest(n.created_on, n.updated_on, (
    select max(${lastChangeOf('w')}) from node w where w.organization_id = n.id and ${isAlive('w')}))`,
}

const containers = (kind: ContainerKind) =>
  orderedList<ContainersPage>({
    from: rootsOf(kind),
    where: visible(kind),
    hasPositions: false,
    isIndexed: false,
    changedOn: changedOn[kind],
  })

const pages = { organization: containers('organization'), workspace: containers('workspace') }

/**
 * The organizations or workspaces that the user is a member of, including the workspaces of their organizations; with an
 * API key for one workspace, only that workspace. Uses access_grant_pkey and node_organization_idx.
 */
export function listContainers(
  db: Db,
  kind: ContainerKind,
  { username, onlyWorkspaceId }: Subject,
  limit: number,
  view: ListView = {},
): Promise<OrderedNode[]> {
  return pages[kind](db, { username, onlyWorkspaceId, limit }, view)
}

const changedPage = (kind: ContainerKind) => {
  const time = 'coalesce(n.updated_on, n.created_on)'
  const page = <Values extends ChangedPage>(later: string) =>
    statement<ChangedNode, Values>(`
      with page as materialized (
        select n.id from ${rootsOf(kind)}
         where ${visible(kind)} and ${time} > :updatedAfter::timestamptz ${later}
         order by ${time}, n.seq limit :limit
      )
      select ${listedColumns}, ${summedColumns}, ${time} as changed_on
        from page join node n on n.id = page.id ${sums}
       order by ${time}, n.seq`)
  return {
    first: page<ChangedPage>(''),
    later: page<ChangedPage & Cursor>(
      `and (${time}, n.seq) > (:createdOn::timestamptz, :seq::bigint)`,
    ),
  }
}

const changedPages = {
  organization: changedPage('organization'),
  workspace: changedPage('workspace'),
}

/** Those that were updated themselves later than `updatedAfter`, in the order of these times. */
export function listChangedContainers(
  db: Db,
  kind: ContainerKind,
  { username, onlyWorkspaceId }: Subject,
  updatedAfter: string,
  limit: number,
  after?: Cursor,
): Promise<ChangedNode[]> {
  const { first, later } = changedPages[kind]
  const page = { username, onlyWorkspaceId, updatedAfter, limit }
  if (!after) return first(db, page)
  return later(db, { ...page, ...after })
}

const ownStorage = statement<{ allowed: boolean }>(
  'select o.allow_per_workspace_storage as allowed from organization o where o.node_id = $1',
)

/** Whether the workspaces of the organization may have storage of their own. */
export async function allowsOwnStorage(db: Db, id: string): Promise<boolean> {
  return (await ownStorage(db, id))[0]?.allowed ?? false
}

export type OrganizationChange = Omit<Updateable<OrganizationTable>, 'node_id'>

export async function insertOrganization(tx: Tx, id: string, change: OrganizationChange) {
  await tx
    .insertInto('organization')
    .values({ ...change, node_id: id })
    .execute()
}

export async function updateOrganization(tx: Tx, id: string, change: OrganizationChange) {
  if (Object.keys(change).length === 0) return
  await tx.updateTable('organization').set(change).where('node_id', '=', id).execute()
}

const joined = statement<{ id: string }>(`
  with forgotten as (delete from dissolved_workspace d where d.workspace_id = $1)
  update node n set organization_id = $2, position = p.position
    from (
      select count(*) filter (where x.deleted_on is null) as workspaces,
             coalesce(max(x.position) + 1, 0) as position
        from node x where x.organization_id = $2
    ) p
   where n.id = $1 and p.workspaces < $3
  returning n.id`)

/** Adds a workspace after the others of a locked organization; false when the organization is full. */
export async function joinOrganization(
  tx: Tx,
  workspaceId: string,
  organizationId: string,
  workspacesMax: number,
): Promise<boolean> {
  return (await joined(tx, workspaceId, organizationId, workspacesMax)).length > 0
}

const left = statement<{ id: string }>(`
  update node set organization_id = null, position = 0
   where id = $1 and organization_id is not distinct from $2 returning id`)

/** Removes a workspace from this organization; false when the workspace is not in it. */
export async function leaveOrganization(
  tx: Tx,
  workspaceId: string,
  organizationId: string | null,
): Promise<boolean> {
  return (await left(tx, workspaceId, organizationId)).length > 0
}

const dissolved = statement<never>(`
  with gone as materialized (
    select w.id, w.position from node w where w.organization_id = $1 order by w.id for no key update
  ), remembered as (
    insert into dissolved_workspace as d (workspace_id, organization_id, position)
    select g.id, $1::uuid, g.position from gone g
    on conflict (workspace_id) do update
       set organization_id = excluded.organization_id, position = excluded.position
  )
  update node n set organization_id = null, position = 0 from gone g where n.id = g.id`)

/** Removes all workspaces from an organization and records them. Uses node_organization_idx. */
export async function detachWorkspaces(tx: Tx, organizationId: string): Promise<void> {
  await dissolved(tx, organizationId)
}

const regained = statement<never>(`
  with back as (
    delete from dissolved_workspace d where d.organization_id = $1 returning d.workspace_id, d.position
  )
  update node n set organization_id = $1, position = b.position
    from back b where n.id = b.workspace_id and n.organization_id is null`)

/**
 * Adds the workspaces again that detachWorkspaces removed, except those that have joined another organization since.
 * Uses dissolved_workspace_organization_idx.
 */
export async function reattachWorkspaces(tx: Tx, organizationId: string): Promise<void> {
  await regained(tx, organizationId)
}

const counted = statement<{ workspaces: number }>(`
  select count(*)::int as workspaces from node n
   where n.organization_id = $1 and n.deleted_on is null`)

/** The live workspaces of an organization. Uses node_organization_idx. */
export async function countWorkspaces(tx: Tx, organizationId: string): Promise<number> {
  return (await counted(tx, organizationId))[0]?.workspaces ?? 0
}
