import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { Caller } from './nodes.js'
import type { ContainerKind } from './organizations.js'

/** What was deleted by itself, and can still be restored. */
export type Deletion = {
  id: string
  type: NodeKind
  name: string | null
  deleted_by: string
  deleted_on: string
  restorable_until: string
}

export type DeletionPage = { retentionMs: number; limit: number; offset: number }

const retention = `:retentionMs::bigint * interval '1 ms'`

/**
 * Newest first. What moved to another workspace with its parent is not that one's to see. A figure in
 * which a revision waited for its own is not listed: nobody made it.
 */
const deletions = <Values extends DeletionPage>(from: string, where: string) =>
  statement<Deletion, Values>(`
    select n.id, n.type, coalesce(n.name, o.name) as name, t.deleted_by, t.deleted_on,
           t.deleted_on + ${retention} as restorable_until
      from ${from} join tombstone t on t.node_id = n.id
      left join node o on n.type in ('figure_revision', 'asset_revision') and o.id = n.parent_id
     where ${where} and n.deleted_on >= now() - ${retention}
       and t.purge_began_on is null and n.state = 'active'
       and coalesce(t.lineage[1] = n.lineage[1], true)
       and (not n.auto_assign_pending or (select true from node r where r.parent_id = n.id limit 1))
     order by n.deleted_on desc, n.id limit :limit offset :offset`)

type ContainerPage = DeletionPage & { id: string }

const inContainer = {
  workspace: deletions<ContainerPage>('node n', 'n.workspace_id = :id and n.id <> :id'),
  organization: deletions<ContainerPage>('node n', 'n.organization_id = :id'),
}

/**
 * In a workspace; of an organization its workspaces. By node_deleted_idx, node_deleted_workspace_idx and
 * tombstone_pkey.
 */
export function listDeletedIn(
  db: Db,
  kind: ContainerKind,
  id: string,
  page: DeletionPage,
): Promise<Deletion[]> {
  return inContainer[kind](db, { id, ...page })
}

const memberOf = (role: string) => `
  select g.node_id as id from access_grant g
   where g.subject = :username and g.kind = 'member' and g.role = '${role}'`

const mine = (kind: ContainerKind, ids: string) =>
  deletions<DeletionPage & Caller>(
    `(${ids}) mine join node n on n.id = mine.id`,
    `n.type = '${kind}' and (:onlyIn::uuid is null or n.id = :onlyIn)`,
  )

const containers = {
  organization: mine('organization', memberOf('org_admin')),
  workspace: mine(
    'workspace',
    `${memberOf('owner')}
     union
     select w.id from (${memberOf('org_admin')}) o join node w on w.organization_id = o.id`,
  ),
}

/**
 * The organizations or workspaces that somebody may restore; of one who is bound to a workspace, that
 * alone. By access_grant_pkey, node_organization_idx and tombstone_pkey.
 */
export function listDeletedContainers(
  db: Db,
  kind: ContainerKind,
  { username, onlyIn }: Subject,
  page: DeletionPage,
): Promise<Deletion[]> {
  return containers[kind](db, { username, onlyIn, ...page })
}
