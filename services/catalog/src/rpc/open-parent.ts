import { invalid, isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { parentKind } from '../domain/types.js'
import { parentMissing, tooManyChildren } from '../errors.js'
import { findNode } from '../queries/nodes.js'

/**
 * The parent under which the caller may create an object of this kind. It may be deleted before the
 * object is there: what creates holds the path still and looks once more. Errors name the member of
 * the body that named the parent.
 */
export async function openParent(ctx: Ctx, kind: NodeKind, parentId: string, subject: string) {
  const field = parentKind[kind]
  if (!field) throw invalid('type', 'is not created under a parent')
  if (!parentId) throw invalid(field, 'is required')
  if (!isUuid(parentId)) throw invalid(field, 'must be a UUID')
  const found = await findNode(ctx.db, parentId, subject)
  if (subject && found?.type !== field) throw parentMissing(field)
  const parent = authorize(found, Permission.CREATE, subject)
  if (parent.children >= ctx.cfg.childrenMax) throw tooManyChildren(field, ctx.cfg.childrenMax)
  if (!parent.workspace_id) throw new Error(`${parent.id} is in no workspace`)
  return { lineage: parent.lineage, workspaceId: parent.workspace_id }
}
