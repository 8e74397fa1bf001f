import { invalid } from '@figbase/kit/errors'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess, type NodeAccess } from '../queries/access.js'

/** The requested node. Throws when the caller may not share it. */
export async function authorizeShareable(
  db: Db,
  { id, type }: { id: string; type: NodeType },
  subject: Subject,
): Promise<NodeAccess> {
  const kind = kindOf(type)
  const found = await findAccess(db, uuidOrNotFound(id, subject, kind), subject)
  const node = authorize(found, Permission.SHARE, subject, kind)
  if (node.type === 'workspace' || node.type === 'organization') {
    throw invalid('type', `a ${node.type} cannot be shared: add members instead`)
  }
  return node
}
