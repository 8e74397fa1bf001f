import { invalid, isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { parentKind } from '../domain/types.js'
import { tooManyChildren } from '../errors.js'
import { findNode, lockPath } from '../queries/nodes.js'

/**
 * The parent under which the caller may create an object of this kind, held still until the
 * transaction ends. Errors name the member of the body that named the parent.
 */
export async function openParent(
  ctx: Ctx,
  tx: Tx,
  kind: NodeKind,
  parentId: string,
  subject: string,
) {
  const field = parentKind[kind]
  if (!field) throw invalid('type', 'is not created under a parent')
  if (!parentId) throw invalid(field, 'is required')
  if (!isUuid(parentId)) throw invalid(field, 'must be a UUID')
  const found = await findNode(tx, parentId, subject)
  const missing = () => invalid(field, 'does not exist')
  if (subject && found?.type !== field) throw missing()
  const parent = authorize(found, Permission.CREATE, subject)
  if (parent.children >= ctx.cfg.childrenMax) throw tooManyChildren(field, ctx.cfg.childrenMax)
  const path = await lockPath(tx, parent.lineage)
  // Deleted since the line that found it.
  if (!path) throw missing()
  return { ...parent, path }
}
