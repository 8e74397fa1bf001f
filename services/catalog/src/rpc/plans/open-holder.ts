import type { NodeType } from '@figbase/proto/catalog'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../../access.js'
import type { Ctx } from '../../context.js'
import type { Db } from '../../db/schema.js'
import { kindOf } from '../../domain/types.js'
import { uuidOrNotFound } from '../../domain/uuid.js'
import { findAccess, type NodeAccess } from '../../queries/nodes.js'

/** The workspace or organization that the caller manages. */
export async function openHolder(
  { db }: { db: Db } & Pick<Ctx, 'cfg'>,
  { nodeId, type }: { nodeId: string; type: NodeType },
  subject: string,
): Promise<NodeAccess> {
  const kind = kindOf(type)
  const found = await findAccess(db, uuidOrNotFound(nodeId, subject, kind), subject)
  return authorize(found, Permission.MANAGE, subject, kind)
}
