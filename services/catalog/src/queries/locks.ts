import { ConcurrentChange, statement } from '@figbase/kit/db'
import type { StoredNode, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from './access.js'
import type { NodeForCaller } from './node-sql.js'
import { findNode } from './nodes.js'

type PathNode = Pick<StoredNode, 'id' | 'type' | 'lineage'>

/**
 * SQL that locks the nodes of `ids` that are not deleted. `for key share` is the weakest lock that conflicts with
 * `for update`, so that renames of the ancestors do not wait.
 */
export const pathLocked = (ids: string) => `
  select n.id, n.type, n.lineage from node n where n.id = any(${ids}::uuid[]) and n.deleted_on is null
   order by n.id for key share`

/** As pathLocked, including deleted nodes. */
export const anyPathLocked = (ids: string) => `
  select n.id, n.type, n.lineage from node n where n.id = any(${ids}::uuid[])
   order by n.id for key share`

/** SQL: whether `path`, the locked nodes of `ids`, is complete, so that none of them was deleted or moved. */
export const pathIsIntact = (ids: string) => `
  (select count(*) from path p where p.lineage = (${ids}::uuid[])[:cardinality(p.lineage)])
    = cardinality(${ids}::uuid[])`

const livePath = statement<PathNode>(pathLocked('$1'))

/**
 * Locks paths against deletes and moves until the transaction ends, and returns the nodes on them; undefined when
 * one was deleted meanwhile. Throws ConcurrentChange when one was moved.
 */
export async function lockPath(tx: Tx, ...lineages: string[][]): Promise<PathNode[] | undefined> {
  const ids = [...new Set(lineages.flat())]
  const path = await livePath(tx, ids)
  if (path.length < ids.length) return undefined
  const known = new Map(path.map((node) => [node.id, node.lineage]))
  for (const lineage of lineages) {
    for (const [at, id] of lineage.entries()) {
      if (!isSamePath(known.get(id), lineage.slice(0, at + 1)))
        throw new ConcurrentChange('the node was moved')
    }
  }
  return path
}

export const isSamePath = (one: string[] | undefined, other: string[]): boolean =>
  one?.length === other.length && one.every((id, at) => id === other[at])

const nodeLocked = statement<{ id: string }>(
  'select n.id from node n where n.id = $1 and n.deleted_on is null for no key update',
)

/**
 * Locks a live node until the transaction ends: other changes of the node, of its members or shares and of the
 * workspaces of an organization wait; writes below it do not. False when the node was deleted.
 */
export async function lockNode(tx: Tx, id: string): Promise<boolean> {
  return (await nodeLocked(tx, id)).length > 0
}

const lockById = statement<never>('select from node n where n.id = $1 for update')

/** Locks a deleted node. Lock its path first. */
export async function lockDeletedNode(tx: Tx, id: string): Promise<void> {
  await lockById(tx, id)
}

/**
 * Locks a node against all changes at or below it; lock its path first. Reads the node after locking it, so that
 * its sums include concurrent writes below it. Undefined when the node was deleted meanwhile. Throws
 * ConcurrentChange when it was moved.
 */
export async function lockSubtree(
  tx: Tx,
  before: NodeAccess,
  subject: Subject,
): Promise<NodeForCaller | undefined> {
  await lockById(tx, before.id)
  const node = await findNode(tx, before.id, subject)
  if (node && !isSamePath(node.lineage, before.lineage))
    throw new ConcurrentChange('the node was moved')
  return node
}
