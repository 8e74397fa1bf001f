import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { alive, type ForCaller, type NodeForCaller, organizationJoin, roles } from './node-sql.js'
import type { ParentNode } from './nodes.js'
import { newDataStorage } from './storages.js'

/** The columns of a node that a permission check needs, with the caller's roles. */
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
  select ${accessColumns} ${more} from node n ${organizationJoin} where n.id = :id and ${alive}`

const accessById = statement<NodeAccess, ForCaller>(accessBy())

/** As findNode without the sums, which takes half the time. */
export async function findAccess(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
): Promise<NodeAccess | undefined> {
  return (await accessById(db, { id, username, onlyWorkspaceId }))[0]
}

/** A node, deleted or not, with the conditions that may prevent its restoration. */
export type DeletedAccess = NodeAccess & {
  name: string | null
  /** Whether the node has a tombstone of its own. */
  is_deleted: boolean
  /** Whether its retention has expired or its purge has begun. */
  is_over: boolean
  /** Whether an ancestor was moved since the deletion. */
  is_moved: boolean
  /** The outermost deleted ancestor. */
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
    from node n ${organizationJoin} left join tombstone t on t.node_id = n.id
   where n.id = :id and n.state = 'active'`)

/** As findAccess, including deleted nodes. The roles are the caller's current roles on the path. */
export async function findDeleted(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
  retentionMs: number,
): Promise<DeletedAccess | undefined> {
  return (await deletedById(db, { id, username, onlyWorkspaceId, retentionMs }))[0]
}

/** With the storage for new data; null: the default. */
export type StorageAccess = NodeAccess & { storage_id: string | null }

const storageAccessById = statement<StorageAccess, ForCaller>(
  accessBy(`, ${newDataStorage} as storage_id`),
)

/** As findAccess, with the storage for new data. */
export async function findStorageAccess(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
): Promise<StorageAccess | undefined> {
  return (await storageAccessById(db, { id, username, onlyWorkspaceId }))[0]
}

type Viewers = { id: string; usernames: string[] }

const viewers = statement<Viewers>(`
  select n.id, array_agg(distinct g.subject) as usernames
    from node n left join node w on w.id = n.workspace_id
    join access_grant g on g.node_id = any(n.lineage || w.organization_id)
     and g.subject = any($2::text[]) and g.kind <> 'link'
   where n.id = any($1::uuid[]) and ${alive}
   group by n.id`)

/** The users who may view each node: every role may. Uses access_grant_pkey and access_grant_node_idx. */
export function listViewers(db: Db, ids: string[], usernames: string[]): Promise<Viewers[]> {
  return viewers(db, ids, usernames)
}
