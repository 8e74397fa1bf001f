import { invalid } from '@figbase/kit/errors'
import type { Node } from '@figbase/proto/catalog'
import type { Db } from '../db/schema.js'
import { listNewestOfEach } from '../queries/newest-revisions.js'

const newestMax = 10

/** Adds the ids of the newest revisions to each node of a list, with one statement if there are any to add. */
export async function withNewestRevisions(db: Db, nodes: Node[], count: number): Promise<Node[]> {
  if (count < 0 || count > newestMax) {
    throw invalid('newest_revisions', `must be between 0 and ${newestMax}`)
  }
  const ids = nodes.filter(({ children }) => children > 0).map(({ id }) => id)
  const newest = count > 0 ? await listNewestOfEach(db, ids, count) : undefined
  for (const node of nodes) node.newestRevisionIds = newest?.get(node.id) ?? []
  return nodes
}
