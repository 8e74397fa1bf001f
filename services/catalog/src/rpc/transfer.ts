import { ConcurrentChange } from '@figbase/kit/db'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from '../queries/access.js'
import { leaveOrganization } from '../queries/organizations.js'
import { checkStorageUsage } from '../quota.js'
import { addToOrganization, authorizeOrganization } from './authorize-organization.js'

/** The old and the new organization of a workspace; null: none. */
export type Transferred = { from: string | null; to: string | null }

/**
 * Moves a workspace to another organization, or out of its organization if `parentId` is empty. Changes one row,
 * whatever the size of the workspace. As a move, it takes DELETE on the workspace and CREATE in the organization.
 */
export async function transfer(
  ctx: Ctx,
  tx: Tx,
  before: NodeAccess,
  parentId: string,
  subject: Subject,
): Promise<Transferred> {
  const { id, organization_id } = authorize(before, Permission.DELETE, subject)
  const organizationId = parentId ? await authorizeOrganization(tx, parentId, subject) : undefined
  if (!(await leaveOrganization(tx, id, organization_id))) {
    throw new ConcurrentChange('the workspace was moved')
  }
  if (organizationId) {
    await addToOrganization(ctx, tx, id, organizationId)
    if (await ctx.isStorageLimited()) await checkStorageUsage(tx, id)
  }
  return { from: organization_id, to: organizationId ?? null }
}
