import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { type NodeType, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, NodeKind, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { parentNotFound } from '../errors.js'
import { findAccess, type NodeAccess } from '../queries/access.js'
import { lockNode } from '../queries/locks.js'

export type ContainerAccess = NodeAccess & { type: 'organization' | 'workspace' }

type ContainerRef = { id: string; type: NodeType }

/** The requested organization or workspace. Throws when the caller lacks the permission. */
export async function authorizeContainer(
  db: Db,
  { id, type }: ContainerRef,
  subject: Subject,
  permission: Permission = Permission.MANAGE,
): Promise<ContainerAccess> {
  const kind = kindOf(type)
  const found = await findAccess(db, uuidOrNotFound(id, subject, kind), subject)
  const node = authorize(found, permission, subject, kind)
  if (!isContainer(node)) throw hasNoMembers()
  return node
}

/** As authorizeContainer, for a container in a request body: an unknown one is an invalid field. */
export async function authorizeTarget(
  db: Db,
  type: NodeType,
  id: string,
  subject: Subject,
): Promise<ContainerAccess> {
  const kind = kindOf(type)
  if (kind !== 'organization' && kind !== 'workspace') throw hasNoMembers()
  const found = isUuid(id) ? await findAccess(db, id, subject) : undefined
  if (found?.type !== kind) throw parentNotFound(kind)
  return { ...authorize(found, Permission.MANAGE, subject), type: kind }
}

/**
 * Runs `work` on a locked organization or workspace, so that other changes of its members wait. Checks the permission
 * after locking, to see concurrent changes.
 */
export function withManagedContainer<T>(
  ctx: Ctx,
  { id, type }: ContainerAccess,
  subject: Subject,
  work: (tx: Tx) => Promise<T>,
  permission: Permission = Permission.MANAGE,
): Promise<T> {
  return ctx.transact(async (tx) => {
    await lockNode(tx, id)
    authorize(await findAccess(tx, id, subject), permission, subject, type)
    return work(tx)
  })
}

const hasNoMembers = () => invalid('type', 'has no members')

function isContainer(node: NodeAccess): node is ContainerAccess {
  const kinds: NodeKind[] = ['organization', 'workspace']
  return kinds.includes(node.type)
}
