import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from '../queries/access.js'
import { findParent, listAncestors, type ParentNode } from '../queries/nodes.js'
import { toParent } from '../wire.js'

/** The field `parent` of a response, if the caller may view the parent. */
export async function visibleParent(
  ctx: Ctx,
  { parent_id }: Pick<NodeAccess, 'parent_id'>,
  subject: Subject,
) {
  const parent = parent_id ? await findParent(ctx.db, parent_id, subject) : undefined
  return parent && isVisible(parent) ? { parent: toParent(parent) } : {}
}

/** The ancestors that the caller may view, with the organization, from the outermost to the parent. */
export async function visibleAncestors(
  ctx: Ctx,
  node: Parameters<typeof listAncestors>[1],
  subject: Subject,
) {
  const ancestors = await listAncestors(ctx.db, node, subject)
  return ancestors.filter(isVisible).map(toParent)
}

const isVisible = ({ roles, type }: ParentNode) => allows(roles, Permission.VIEW, type)
