import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { newestRevisionsOf } from './newest-revisions.js'
import {
  alive,
  type Caller,
  governed,
  type ListedNode,
  listedColumns,
  type NodeForCaller,
  ownColumns,
  roles,
  summedColumns,
  sums,
} from './nodes.js'

export type OpenedNode = {
  node: NodeForCaller
  /** Of all revisions at or below the node, newest first. */
  newestRevisionIds: string[]
  children: ListedNode[]
}

type Row = NodeForCaller & { newest: string[] }

type Wanted = {
  /** Of the children; null: none. */
  type: NodeKind | null
  limit: number
  newestRevisions: number
}

/** The node first, then its children. */
const opened = statement<Row, Caller & Wanted & { id: string }>(`
  with opened as materialized (
    select ${ownColumns}, ${summedColumns}, ${roles},
           case when :newestRevisions::int > 0
                then ${newestRevisionsOf('n', ':newestRevisions')} else '{}' end as newest
      from node n ${governed} ${sums} where n.id = :id and ${alive}
  ), child as (
    select ${listedColumns}, null::uuid[] as lineage, ${summedColumns}, null::text[] as roles,
           null::uuid[] as newest
      from node n ${sums}
     where n.parent_id = :id and n.type = :type and ${alive}
     order by n.position, n.created_on, n.seq limit :limit
  )
  select o.*, 0 as place from opened o
  union all
  select c.*, 1 from child c
   order by place, position, created_on, seq`)

/**
 * A node for a caller as findNode has it, with the first of its children of one type, by position, then by age, and
 * the ids of its newest revisions; whether the caller may view it is for who asks. By node_pkey and
 * node_children_idx, and the indexes of the newest revisions.
 */
export async function openNode(
  db: Db,
  id: string,
  { username, onlyIn }: Subject,
  wanted: Wanted,
): Promise<OpenedNode | undefined> {
  const [node, ...children] = await opened(db, { id, username, onlyIn, ...wanted })
  // Without the node there may be children still: of one that is deleted, in a statement's moment.
  return node?.roles ? { node, newestRevisionIds: node.newest, children } : undefined
}
