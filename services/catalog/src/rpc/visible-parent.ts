import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from '../queries/access.js'
import { findParent } from '../queries/nodes.js'
import { toParent } from '../wire.js'

/** The field `parent` of a response, if the caller may view the parent. */
export async function visibleParent(
  ctx: Ctx,
  { parent_id }: Pick<NodeAccess, 'parent_id'>,
  subject: Subject,
) {
  const parent = parent_id ? await findParent(ctx.db, parent_id, subject) : undefined
  const isVisible = parent && allows(parent.roles, Permission.VIEW, parent.type)
  return isVisible ? { parent: toParent(parent) } : {}
}
