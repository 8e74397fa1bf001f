import { ConcurrentChange, statement } from '@figbase/kit'
import type { StoredNode, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { findNode, type NodeAccess, type NodeForCaller } from './nodes.js'

type PathNode = Pick<StoredNode, 'id' | 'type' | 'lineage'>

/**
 * The nodes of $1 that are not deleted. The weakest lock that `for update` waits for: new names of
 * the ancestors need not wait.
 */
export const pathLocked = (ids: string) => `
  select n.id, n.type, n.lineage from node n where n.id = any(${ids}::uuid[]) and n.deleted_on is null
   order by n.id for key share`

/** The same, deleted or not. */
export const anyPathLocked = (ids: string) => `
  select n.id, n.type, n.lineage from node n where n.id = any(${ids}::uuid[])
   order by n.id for key share`

/** Whether `path`, the locked nodes of $1, is all of it: nothing on it was deleted or moved. */
export const pathIsWhole = (ids: string) => `
  (select count(*) from path p where p.lineage = (${ids}::uuid[])[:cardinality(p.lineage)])
    = cardinality(${ids}::uuid[])`

const livePath = statement<PathNode>(pathLocked('$1'))

/**
 * Holds paths still against deletes and moves until the transaction ends, and answers the kind of
 * each node on them; undefined when something was deleted meanwhile. The transaction is run again
 * when something was moved.
 */
export async function lockPath(tx: Tx, ...lineages: string[][]): Promise<PathNode[] | undefined> {
  const ids = [...new Set(lineages.flat())]
  const path = await livePath(tx, ids)
  if (path.length < ids.length) return undefined
  const known = new Map(path.map((node) => [node.id, node.lineage]))
  for (const lineage of lineages) {
    for (const [at, id] of lineage.entries()) {
      if (!isSame(known.get(id), lineage.slice(0, at + 1)))
        throw new ConcurrentChange('it was moved')
    }
  }
  return path
}

export const isSame = (one: string[] | undefined, other: string[]): boolean =>
  one?.length === other.length && one.every((id, at) => id === other[at])

const lockById = statement<never>('select from node n where n.id = $1 for update')

/** Holds a node that was deleted, after its path. */
export async function lockDeleted(tx: Tx, id: string): Promise<void> {
  await lockById(tx, id)
}

/**
 * Holds a node, after its path, against everything that happens at or below it. First the lock, then
 * the sums: what was being written below is in them. Undefined when it was deleted meanwhile; the
 * transaction is run again when it was moved.
 */
export async function lockedNode(
  tx: Tx,
  before: NodeAccess,
  subject: Subject,
): Promise<NodeForCaller | undefined> {
  await lockById(tx, before.id)
  const node = await findNode(tx, before.id, subject)
  if (node && !isSame(node.lineage, before.lineage)) throw new ConcurrentChange('it was moved')
  return node
}
