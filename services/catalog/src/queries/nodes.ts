import { statement } from '@figbase/kit/db'
import type { Db, NodeKind, StoredNode } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import {
  alive,
  type Caller,
  type ForCaller,
  type NodeForCaller,
  nodeColumns,
  organizationJoin,
  roles,
  summedColumns,
  sums,
} from './node-sql.js'

const nodeById = statement<NodeForCaller, ForCaller>(`
  select ${nodeColumns}, ${summedColumns}, ${roles} from node n ${organizationJoin} ${sums}
   where n.id = :id and ${alive}`)

/** Undefined when the node does not exist, is deleted or is still pending. Uses node_pkey. */
export async function findNode(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
): Promise<NodeForCaller | undefined> {
  return (await nodeById(db, { id, username, onlyWorkspaceId }))[0]
}

type ByIds = Caller & { ids: string[]; type: NodeKind | undefined; analysisId: string | null }

const byIds = statement<NodeForCaller, ByIds>(`
  select ${nodeColumns}, ${summedColumns}, ${roles}
    from unnest(:ids::uuid[]) with ordinality as asked (id, place)
    join node n on n.id = asked.id ${organizationJoin} ${sums}
   where (:type::text is null or n.type = :type) and ${alive}
     and (:analysisId::uuid is null or exists (
       select from node a join node scope on scope.id = a.scope_id
        where a.id = any(n.lineage) and a.scope_id = :analysisId
          and scope.workspace_id = a.workspace_id))
   order by asked.place`)

/**
 * The live nodes among `ids`, in their order, optionally of one type and of one live analysis. Uses node_pkey.
 */
export function listByIds(
  db: Db,
  ids: string[],
  type: NodeKind | undefined,
  { username, onlyWorkspaceId }: Subject,
  analysisId: string | null,
): Promise<NodeForCaller[]> {
  return byIds(db, { ids, type, username, onlyWorkspaceId, analysisId })
}

export type ParentNode = Pick<StoredNode, 'id' | 'type' | 'name' | 'description' | 'parent_id'> &
  Pick<NodeForCaller, 'roles'>

const parentById = statement<ParentNode, ForCaller>(`
  select n.id, n.type, n.name, n.description, n.parent_id, ${roles} from node n ${organizationJoin}
   where n.id = :id`)

/** The parent of a live node. */
export async function findParent(
  db: Db,
  id: string,
  { username, onlyWorkspaceId }: Subject,
): Promise<ParentNode | undefined> {
  return (await parentById(db, { id, username, onlyWorkspaceId }))[0]
}

type Above = Caller & { ids: string[]; workspaceId: string | null }

const ancestors = statement<ParentNode, Above>(`
  with asked as (
    select a.id, a.place from unnest(:ids::uuid[]) with ordinality a (id, place)
    union all
    select w.organization_id, 0 from node w where w.id = :workspaceId and w.organization_id is not null
  )
  select n.id, n.type, n.name, n.description, n.parent_id, ${roles}
    from asked join node n on n.id = asked.id ${organizationJoin}
   order by asked.place`)

/** The ancestors of a live node, from the organization of its workspace to its parent. Uses node_pkey. */
export function listAncestors(
  db: Db,
  { id, lineage, workspace_id: workspaceId }: Pick<StoredNode, 'id' | 'lineage' | 'workspace_id'>,
  { username, onlyWorkspaceId }: Subject,
): Promise<ParentNode[]> {
  const ids = lineage.filter((ancestor) => ancestor !== id)
  return ancestors(db, { ids, workspaceId, username, onlyWorkspaceId })
}

/** Whether the node itself is not deleted; ignores its ancestors. */
export async function isLive(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('node').select('id').where('id', '=', id)
  return (await query.where('deleted_on', 'is', null).executeTakeFirst()) !== undefined
}
