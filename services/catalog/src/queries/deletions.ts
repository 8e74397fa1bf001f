import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { Caller } from './node-sql.js'
import type { ContainerKind } from './organizations.js'

/** A node with a tombstone of its own that can still be restored. */
export type Deletion = {
  id: string
  seq: bigint
  type: NodeKind
  name: string | null
  deleted_by: string
  deleted_on: string
  restorable_until: string
}

export type DeletionPage = { retentionMs: number; limit: number; offset: number }

const retention = `:retentionMs::bigint * interval '1 ms'`

/**
 * Newest first. Omits nodes that moved to another workspace since, and empty figures that auto-assignment left
 * behind, since no user created them.
 */
const deletionPage = <Values extends DeletionPage>(from: string, where: string) =>
  statement<Deletion, Values>(`
    select n.id, n.seq, n.type, coalesce(n.name, o.name) as name, t.deleted_by, t.deleted_on,
           t.deleted_on + ${retention} as restorable_until
      from ${from} join tombstone t on t.node_id = n.id
      left join node o on n.type in ('figure_revision', 'asset_revision') and o.id = n.parent_id
     where ${where} and n.deleted_on >= now() - ${retention}
       and t.purge_began_on is null and n.state = 'active'
       and coalesce(t.lineage[1] = n.lineage[1], true)
       and (not n.auto_assign_pending or (select true from node r where r.parent_id = n.id limit 1))
     order by n.deleted_on desc, n.seq desc limit :limit offset :offset`)

/** Reads the first page, or the one after the deletion at `after`. */
function deletions<Values extends DeletionPage>(from: string, where: string) {
  const first = deletionPage<Values>(from, where)
  const earlier = '(n.deleted_on, n.seq) < (:createdOn::timestamptz, :seq::bigint)'
  const later = deletionPage<Values & Cursor>(from, `${where} and ${earlier}`)
  return (db: Db, page: Values, after: Cursor | undefined) =>
    after ? later(db, { ...page, ...after }) : first(db, page)
}

type ContainerPage = DeletionPage & { id: string }

const inContainer = {
  workspace: deletions<ContainerPage>('node n', 'n.workspace_id = :id and n.id <> :id'),
  organization: deletions<ContainerPage>('node n', 'n.organization_id = :id'),
}

/**
 * Deletions in a workspace, or of the workspaces of an organization. Uses node_deleted_idx,
 * node_deleted_workspace_idx and tombstone_pkey.
 */
export function listDeletedIn(
  db: Db,
  kind: ContainerKind,
  id: string,
  page: DeletionPage,
  after?: Cursor,
): Promise<Deletion[]> {
  return inContainer[kind](db, { id, ...page }, after)
}

const memberOf = (role: string) => `
  select g.node_id as id from access_grant g
   where g.subject = :username and g.kind = 'member' and g.role = '${role}'`

const containerDeletions = (kind: ContainerKind, ids: string) =>
  deletions<DeletionPage & Caller>(
    `(${ids}) mine join node n on n.id = mine.id`,
    `n.type = '${kind}' and (:onlyWorkspaceId::uuid is null or n.id = :onlyWorkspaceId)`,
  )

const containers = {
  organization: containerDeletions('organization', memberOf('org_admin')),
  workspace: containerDeletions(
    'workspace',
    `${memberOf('owner')}
     union
     select w.id from (${memberOf('org_admin')}) o join node w on w.organization_id = o.id`,
  ),
}

/**
 * The deleted organizations or workspaces that the user may restore; with an API key for one workspace, only that
 * workspace. Uses access_grant_pkey, node_organization_idx and tombstone_pkey.
 */
export function listDeletedContainers(
  db: Db,
  kind: ContainerKind,
  { username, onlyWorkspaceId }: Subject,
  page: DeletionPage,
  after?: Cursor,
): Promise<Deletion[]> {
  return containers[kind](db, { username, onlyWorkspaceId, ...page }, after)
}
