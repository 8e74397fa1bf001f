import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import type { Subject } from '../domain/subject.js'
import { findParent, type NodeAccess } from '../queries/nodes.js'
import { toParent } from '../wire.js'

/** The member `parent` of an answer: what a node lives in, if the caller may view that. */
export async function parentFor(
  ctx: Ctx,
  { parent_id }: Pick<NodeAccess, 'parent_id'>,
  subject: Subject,
) {
  const parent = parent_id ? await findParent(ctx.db, parent_id, subject) : undefined
  const isShown = parent && allows(parent.roles, Permission.VIEW, parent.type)
  return isShown ? { parent: toParent(parent) } : {}
}
