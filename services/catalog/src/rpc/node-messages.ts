import type { Node } from '@figbase/proto/catalog'
import type { Db } from '../db/schema.js'
import type { ListedNode } from '../queries/node-sql.js'
import { listDetails } from '../queries/organizations.js'
import { toNode, toOrganization } from '../wire.js'

/** The message of a node. An organization includes its settings and its sums. */
export async function toNodeMessage(db: Db, row: ListedNode): Promise<Node> {
  if (row.type !== 'organization') return toNode(row)
  const [node] = await toOrganizationMessages(db, [row])
  if (!node) throw new Error('unreachable: no message for the row')
  return node
}

/** The messages of organizations, in the order of the rows. */
export async function toOrganizationMessages(db: Db, rows: ListedNode[]): Promise<Node[]> {
  const ids = rows.map((row) => row.id)
  const details = new Map((await listDetails(db, ids)).map((one) => [one.node_id, one]))
  return rows.map((row) => {
    const settings = details.get(row.id)
    if (!settings) throw new Error(`no organization row for node ${row.id}`)
    return toOrganization(row, settings)
  })
}
