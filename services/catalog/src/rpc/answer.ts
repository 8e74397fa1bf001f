import type { Node } from '@figbase/proto/catalog'
import type { Db } from '../db/schema.js'
import type { ListedNode } from '../queries/nodes.js'
import { listDetails } from '../queries/organizations.js'
import { toNode, toOrganization } from '../wire.js'

/** The message of a node; of an organization with what only those have, and its sums. */
export async function answer(db: Db, row: ListedNode): Promise<Node> {
  if (row.type !== 'organization') return toNode(row)
  const [node] = await answerOrganizations(db, [row])
  if (!node) throw new Error('unreachable: one row, one message')
  return node
}

/** The messages of organizations, in their order. */
export async function answerOrganizations(db: Db, rows: ListedNode[]): Promise<Node[]> {
  const ids = rows.map((row) => row.id)
  const details = new Map((await listDetails(db, ids)).map((one) => [one.node_id, one]))
  return rows.map((row) => {
    const own = details.get(row.id)
    if (!own) throw new Error(`the organization ${row.id} has no row of its own`)
    return toOrganization(row, own)
  })
}
