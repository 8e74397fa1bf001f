import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { parentKind } from '../domain/types.js'
import { busy, parentNotFound, tooManyChildren } from '../errors.js'
import { findNode } from '../queries/nodes.js'

/**
 * The parent in which the caller may create a node of this kind. It may be deleted or moved before the node is
 * created, so the creation locks the path and checks it again. Errors name the request field of the parent.
 */
export async function authorizeParent(
  { cfg, db }: Pick<Ctx, 'cfg'> & { db: Db },
  kind: NodeKind,
  parentId: string,
  subject: Subject,
) {
  const field = parentKind[kind]
  if (!field) throw invalid('type', 'cannot have a parent')
  if (!parentId) throw invalid(field, 'is required')
  if (!isUuid(parentId)) throw invalid(field, 'must be a UUID')
  const found = await findNode(db, parentId, subject)
  if (subject.username && found?.type !== field) throw parentNotFound(field)
  const parent = authorize(found, Permission.CREATE, subject)
  if (parent.children >= cfg.childrenMax) throw tooManyChildren(field, cfg.childrenMax)
  if (!parent.workspace_id) throw new Error(`node ${parent.id} has no workspace`)
  return { lineage: parent.lineage, workspaceId: parent.workspace_id, parent }
}

const attemptsMax = 5

/** Writes at a place in the tree, retrying after a concurrent move. `findPlace` throws when the place was deleted. */
export async function retryIfMoved<Place, T>(
  findPlace: () => Promise<Place>,
  write: (place: Place) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const written = await write(await findPlace())
    if (written !== undefined) return written
  }
  throw busy()
}
