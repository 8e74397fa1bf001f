import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import { alive } from './node-sql.js'

export type Descendant = {
  id: string
  type: NodeKind
  parent_id: string
  position: number
  created_on: string
  seq: bigint
}

type ChildrenPage = {
  parentIds: string[]
  limit: number
  type: NodeKind | undefined
  position: number | undefined
  createdOn: string | undefined
  seq: bigint | undefined
}

// Reads parent by parent in the order of the index until the page is full.
const childrenOfMany = statement<Descendant, ChildrenPage>(`
  select c.id, c.type, c.parent_id, c.position, c.created_on, c.seq
    from unnest(:parentIds::uuid[]) with ordinality as p (id, place)
   cross join lateral (
     select n.id, n.type, n.parent_id, n.position, n.created_on, n.seq from node n
      where n.parent_id = p.id and ${alive}
        and (p.place > 1 or :type::text is null or
             (n.type, n.position, n.created_on, n.seq)
               > (:type, :position::int, :createdOn::timestamptz, :seq::bigint))
      order by n.type, n.position, n.created_on, n.seq limit :limit
   ) c
   limit :limit`)

/** Children of these parents; `after` is the last row of the page before. Uses node_children_idx. */
export function listChildrenOfMany(
  db: Db,
  parentIds: string[],
  limit: number,
  after?: Descendant,
): Promise<Descendant[]> {
  const rest = after ? parentIds.slice(parentIds.indexOf(after.parent_id)) : parentIds
  return childrenOfMany(db, {
    parentIds: rest,
    limit,
    type: after?.type,
    position: after?.position,
    createdOn: after?.created_on,
    seq: after?.seq,
  })
}

export type Leaf = { id: string; node_id: string }

const leavesOfMany = statement<Leaf>(`
  select l.id, l.node_id
    from unnest($1::uuid[]) with ordinality as p (id, place)
   cross join lateral (
     select l.id, l.node_id from leaf l
      where l.node_id = p.id and (p.place > 1 or $3::uuid is null or l.id > $3)
      order by l.id limit $2
   ) l
   limit $2`)

/** Data objects of these nodes, as `listChildrenOfMany`. Uses leaf_node_idx. */
export function listLeavesOfMany(
  db: Db,
  nodeIds: string[],
  limit: number,
  after?: Leaf,
): Promise<Leaf[]> {
  const rest = after ? nodeIds.slice(nodeIds.indexOf(after.node_id)) : nodeIds
  return leavesOfMany(db, rest, limit, after?.id)
}
