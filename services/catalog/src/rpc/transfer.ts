import { ConcurrentChange } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import type { NodeAccess } from '../queries/nodes.js'
import { leaveOrganization } from '../queries/organizations.js'
import { checkArrival } from '../quota.js'
import { join, openOrganization } from './open-organization.js'

/** Between which organizations; null: none. */
export type Transferred = { from: string | null; to: string | null }

/**
 * Takes a workspace out of its organization, and into another one unless `parentId` is empty. One
 * row changes, however much is in it. As for a move, this takes DELETE here and CREATE there.
 */
export async function transfer(
  ctx: Ctx,
  tx: Tx,
  before: NodeAccess,
  parentId: string,
  subject: Subject,
): Promise<Transferred> {
  const { id, organization_id } = authorize(before, Permission.DELETE, subject)
  const organizationId = parentId ? await openOrganization(tx, parentId, subject) : undefined
  if (!(await leaveOrganization(tx, id, organization_id))) {
    throw new ConcurrentChange('it was put elsewhere')
  }
  if (organizationId) {
    await join(ctx, tx, id, organizationId)
    if (await ctx.isStorageLimited()) await checkArrival(tx, id)
  }
  return { from: organization_id, to: organizationId ?? null }
}
