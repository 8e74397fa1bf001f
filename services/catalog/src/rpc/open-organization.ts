import { isUuid } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { parentMissing, tooManyChildren } from '../errors.js'
import { findAccess } from '../queries/nodes.js'
import { holdNode, joinOrganization } from '../queries/organizations.js'

const field = 'organization'

/** The id of an organization in which the caller may create workspaces. */
export async function openOrganization(db: Db, id: string, subject: Subject): Promise<string> {
  const found = isUuid(id) ? await findAccess(db, id, subject) : undefined
  if (found?.type !== 'organization') throw parentMissing(field)
  return authorize(found, Permission.CREATE, subject).id
}

/** Puts a workspace into an organization, in the order of coming; the limit is exact. */
export async function join({ cfg }: Ctx, tx: Tx, workspaceId: string, organizationId: string) {
  if (!(await holdNode(tx, organizationId))) throw parentMissing(field)
  const hasRoom = await joinOrganization(tx, workspaceId, organizationId, cfg.childrenMax)
  if (!hasRoom) throw tooManyChildren(field, cfg.childrenMax)
}
