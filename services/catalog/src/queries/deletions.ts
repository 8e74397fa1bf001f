import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
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

const retention = `$1::bigint * interval '1 ms'`

/**
 * Newest first. What moved to another workspace with its parent is not that one's to see. A figure in
 * which a revision waited for its own is not listed: nobody made it.
 */
const deletions = (from: string, where: string) =>
  statement<Deletion>(`
    select n.id, n.type, coalesce(n.name, o.name) as name, t.deleted_by, t.deleted_on,
           t.deleted_on + ${retention} as restorable_until
      from ${from} join tombstone t on t.node_id = n.id
      left join node o on n.type in ('figure_revision', 'asset_revision') and o.id = n.parent_id
     where ${where} and n.deleted_on >= now() - ${retention}
       and t.purge_began_on is null and n.state = 'active'
       and coalesce(t.lineage[1] = n.lineage[1], true)
       and (not n.auto_assign_pending or (select true from node r where r.parent_id = n.id limit 1))
     order by n.deleted_on desc, n.id limit $2 offset $3`)

const inContainer = {
  workspace: deletions('node n', `n.workspace_id = $4 and n.id <> $4`),
  organization: deletions('node n', `n.organization_id = $4`),
}

/**
 * In a workspace; of an organization its workspaces. By node_deleted_idx, node_deleted_workspace_idx and
 * tombstone_pkey.
 */
export function listDeletedIn(
  db: Db,
  kind: ContainerKind,
  id: string,
  { retentionMs, limit, offset }: DeletionPage,
): Promise<Deletion[]> {
  return inContainer[kind](db, retentionMs, limit, offset, id)
}

const memberOf = (role: string) => `
  select g.node_id as id from access_grant g
   where g.subject = $4 and g.kind = 'member' and g.role = '${role}'`

const mine = (kind: ContainerKind, ids: string) =>
  deletions(
    `(${ids}) mine join node n on n.id = mine.id`,
    `n.type = '${kind}' and ($5::uuid is null or n.id = $5)`,
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
  { retentionMs, limit, offset }: DeletionPage,
): Promise<Deletion[]> {
  return containers[kind](db, retentionMs, limit, offset, username, onlyIn)
}
