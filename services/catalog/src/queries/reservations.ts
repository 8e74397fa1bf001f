import { statement } from '@figbase/kit/db'
import type { Db, StoredNode } from '../db/schema.js'
import { nodeColumns, summedColumns, sums, type VisibleNode } from './node-sql.js'

type Reserved = Pick<StoredNode, 'state' | 'created_by'> & {
  /** Whether an ancestor was deleted. */
  is_orphan: boolean
}

const reservedById = statement<Reserved>(`
  select n.state, n.created_by,
         exists (select from tombstone t where t.node_id = any(n.lineage)) as is_orphan
    from node n where n.id = $1`)

/** The state of a reserved node and the user who reserved it, whether or not the node is visible. */
export async function findReserved(db: Db, id: string): Promise<Reserved | undefined> {
  return (await reservedById(db, id))[0]
}

const activatedById = statement<VisibleNode>(`
  select ${nodeColumns}, ${summedColumns} from node n ${sums} where n.id = $1 and n.state = 'active'`)

/** An active node, deleted or not. Uses node_pkey. */
export async function findActivated(db: Db, id: string): Promise<VisibleNode | undefined> {
  return (await activatedById(db, id))[0]
}
