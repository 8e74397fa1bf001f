import { isUuid } from '@figbase/kit/ids'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import { parentNotFound, tooManyChildren } from '../errors.js'
import { findAccess } from '../queries/access.js'
import { lockNode } from '../queries/locks.js'
import { joinOrganization } from '../queries/organizations.js'

const field = 'organization'

/** The id of an organization in which the caller may create workspaces. */
export async function authorizeOrganization(db: Db, id: string, subject: Subject): Promise<string> {
  const found = isUuid(id) ? await findAccess(db, id, subject) : undefined
  if (found?.type !== 'organization') throw parentNotFound(field)
  return authorize(found, Permission.CREATE, subject).id
}

/** Adds a workspace to an organization as its last one. Locks the organization, so the limit is exact. */
export async function addToOrganization(
  { cfg }: Ctx,
  tx: Tx,
  workspaceId: string,
  organizationId: string,
) {
  if (!(await lockNode(tx, organizationId))) throw parentNotFound(field)
  const isAdded = await joinOrganization(tx, workspaceId, organizationId, cfg.childrenMax)
  if (!isAdded) throw tooManyChildren(field, cfg.childrenMax)
}
