import { invalid, isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { parentKind } from '../domain/types.js'
import { busy, parentMissing, tooManyChildren } from '../errors.js'
import { findNode } from '../queries/nodes.js'

/**
 * The parent under which the caller may create an object of this kind. It may be deleted or moved
 * before the object is there: what creates holds the path still and looks once more. Errors name the
 * member of the body that named the parent.
 */
export async function openParent(
  { cfg, db }: Pick<Ctx, 'cfg'> & { db: Db },
  kind: NodeKind,
  parentId: string,
  subject: Subject,
) {
  const field = parentKind[kind]
  if (!field) throw invalid('type', 'is not created under a parent')
  if (!parentId) throw invalid(field, 'is required')
  if (!isUuid(parentId)) throw invalid(field, 'must be a UUID')
  const found = await findNode(db, parentId, subject)
  if (subject.username && found?.type !== field) throw parentMissing(field)
  const parent = authorize(found, Permission.CREATE, subject)
  if (parent.children >= cfg.childrenMax) throw tooManyChildren(field, cfg.childrenMax)
  if (!parent.workspace_id) throw new Error(`${parent.id} is in no workspace`)
  return { lineage: parent.lineage, workspaceId: parent.workspace_id, parent }
}

const attemptsMax = 5

/** Writes at a place in the tree; again while that is moved at the same moment. */
export async function atPlace<Place, T>(
  open: () => Promise<Place>,
  write: (place: Place) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    // Throws when the place is gone.
    const written = await write(await open())
    if (written !== undefined) return written
  }
  throw busy()
}
