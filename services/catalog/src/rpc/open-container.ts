import { invalid } from '@figbase/kit'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, NodeKind, Tx } from '../db/schema.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess, type NodeAccess } from '../queries/nodes.js'
import { holdNode } from '../queries/organizations.js'

export type ContainerAccess = NodeAccess & { type: 'organization' | 'workspace' }

type Named = { id: string; type: NodeType }

/** The organization or workspace that a request names, when the caller may do this with it. */
export async function openContainer(
  db: Db,
  { id, type }: Named,
  subject: string,
  permission: Permission = Permission.MANAGE,
): Promise<ContainerAccess> {
  const kind = kindOf(type)
  const found = await findAccess(db, uuidOrNotFound(id, subject, kind), subject)
  const node = authorize(found, permission, subject, kind)
  if (!isContainer(node)) throw invalid('type', 'has no members')
  return node
}

/**
 * Runs `work` on an organization or a workspace that the caller manages; who else changes its members
 * waits. First the lock, then the look: what others did meanwhile is seen.
 */
export function managing<T>(
  ctx: Ctx,
  { id, type }: ContainerAccess,
  subject: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return ctx.transact(async (tx) => {
    await holdNode(tx, id)
    authorize(await findAccess(tx, id, subject), Permission.MANAGE, subject, type)
    return work(tx)
  })
}

function isContainer(node: NodeAccess): node is ContainerAccess {
  const kinds: NodeKind[] = ['organization', 'workspace']
  return kinds.includes(node.type)
}
