import { invalid, isUuid } from '@figbase/kit'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, NodeKind, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { parentMissing } from '../errors.js'
import { findAccess, type NodeAccess } from '../queries/nodes.js'
import { holdNode } from '../queries/organizations.js'

export type ContainerAccess = NodeAccess & { type: 'organization' | 'workspace' }

type Named = { id: string; type: NodeType }

/** The organization or workspace that a request names, when the caller may do this with it. */
export async function openContainer(
  db: Db,
  { id, type }: Named,
  subject: Subject,
  permission: Permission = Permission.MANAGE,
): Promise<ContainerAccess> {
  const kind = kindOf(type)
  const found = await findAccess(db, uuidOrNotFound(id, subject, kind), subject)
  const node = authorize(found, permission, subject, kind)
  if (!isContainer(node)) throw hasNoMembers()
  return node
}

/** As openContainer, for one that a body names: an unknown one is a fault of that member. */
export async function openTarget(
  db: Db,
  type: NodeType,
  id: string,
  subject: Subject,
): Promise<ContainerAccess> {
  const kind = kindOf(type)
  if (kind !== 'organization' && kind !== 'workspace') throw hasNoMembers()
  const found = isUuid(id) ? await findAccess(db, id, subject) : undefined
  if (found?.type !== kind) throw parentMissing(kind)
  return { ...authorize(found, Permission.MANAGE, subject), type: kind }
}

/**
 * Runs `work` on an organization or a workspace that the caller manages; who else changes its members
 * waits. First the lock, then the look: what others did meanwhile is seen.
 */
export function managing<T>(
  ctx: Ctx,
  { id, type }: ContainerAccess,
  subject: Subject,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return ctx.transact(async (tx) => {
    await holdNode(tx, id)
    authorize(await findAccess(tx, id, subject), Permission.MANAGE, subject, type)
    return work(tx)
  })
}

const hasNoMembers = () => invalid('type', 'has no members')

function isContainer(node: NodeAccess): node is ContainerAccess {
  const kinds: NodeKind[] = ['organization', 'workspace']
  return kinds.includes(node.type)
}
