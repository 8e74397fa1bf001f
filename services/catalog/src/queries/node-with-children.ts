import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { newestRevisionsOf } from './newest-revisions.js'
import {
  alive,
  type Caller,
  type ListedNode,
  listedColumns,
  type NodeForCaller,
  nodeColumns,
  organizationJoin,
  roles,
  staleBecause,
  summedColumns,
  sums,
} from './node-sql.js'
import { findNode } from './nodes.js'

export type NodeWithChildren = {
  node: NodeForCaller
  /** The newest revisions at or below the node, newest first. */
  newestRevisionIds: string[]
  children: ListedNode[]
}

type Row = NodeForCaller & { newest?: string[] }

type Parts = {
  /** The type of the children; null: no children. */
  type: NodeKind | null
  limit: number
  newestRevisions: number
  /** Whether to read why a figure is stale. */
  staleReasons: boolean
}

const newest = newestRevisionsOf('n', ':newestRevisions')

type NodeValues = Caller & { id: string; type: NodeKind | null; limit: number }

// PostgreSQL initializes every part of a statement at each execution, even unused ones, so the rarely needed newest
// revisions, and the reasons of figures, have statements of their own. The node is live, so a child is live unless it was deleted itself.
const nodeStatement = <Values extends NodeValues>(more = '') =>
  statement<Row, Values>(`
  select ${nodeColumns}, ${summedColumns}, ${roles} ${more}, 0 as place
    from node n ${organizationJoin} ${sums} where n.id = :id and ${alive}
  union all (
    select ${listedColumns}, null, ${summedColumns}, null ${more && ', null'}, 1 from node n ${sums}
     where n.parent_id = :id and n.type = :type and n.state = 'active' and n.deleted_on is null
     order by n.position, n.created_on, n.seq limit :limit
  )
  order by place, position, created_on, seq`)

/** Rows: the node first, then its children. */
const withChildren = nodeStatement<NodeValues>()
const withStaleReasons = nodeStatement<NodeValues>(`, ${staleBecause}`)
const withNewestRevisions = nodeStatement<NodeValues & Pick<Parts, 'newestRevisions'>>(
  `, ${newest} as newest`,
)

/**
 * A node as findNode returns it, with its first children of one type, by position, then by creation, and the ids of
 * its newest revisions. The caller must check the permission. Uses node_pkey and node_children_idx, and the indexes
 * of the newest revisions.
 */
export async function findNodeWithChildren(
  db: Db,
  id: string,
  subject: Subject,
  { type, limit, newestRevisions, staleReasons }: Parts,
): Promise<NodeWithChildren | undefined> {
  if (type === null && newestRevisions === 0 && !staleReasons) {
    const node = await findNode(db, id, subject)
    return node && { node, newestRevisionIds: [], children: [] }
  }
  const { username, onlyWorkspaceId } = subject
  const of = { id, username, onlyWorkspaceId, type, limit }
  const [node, ...children] =
    newestRevisions > 0
      ? await withNewestRevisions(db, { ...of, newestRevisions })
      : await (staleReasons ? withStaleReasons : withChildren)(db, of)
  // The first row may be a child: the node may not be live while its children are not deleted themselves.
  return node?.roles ? { node, newestRevisionIds: node.newest ?? [], children } : undefined
}
