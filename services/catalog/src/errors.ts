import { Code } from '@connectrpc/connect'
import { conflict, failure, invalid, notFound, precondition, unavailable } from '@figbase/kit'
import type { NodeKind } from './db/schema.js'

export const duplicateId = () =>
  conflict('duplicate_client_id', 'client_id: an object with this id exists already')
export const versionMismatch = () =>
  precondition('version_mismatch', 'the object was changed since you read it: read it again')
export const primaryStays = () =>
  precondition('primary_workspace', 'the primary workspace of a user cannot be deleted')

export const notDeleted = () =>
  precondition('not_deleted', 'this was not deleted, or is back already')
/** The outermost deleted ancestor: before that, nothing below it can come back. */
export const parentDeleted = ({
  type,
  id,
  name,
}: {
  type: NodeKind
  id: string
  name: string | null
}) =>
  precondition(
    'parent_deleted',
    `the ${type} that this is in was deleted, too: restore ${name ? `${JSON.stringify(name)} ` : ''}(${id}) first`,
  )
export const parentMoved = () =>
  precondition(
    'parent_moved',
    'what this was in was moved elsewhere since this was deleted: move it back first',
  )
export const alreadyPurged = () =>
  precondition(
    'already_purged',
    'this was deleted too long ago: it is purged, and cannot be restored',
  )
export const parentFull = (max: number) =>
  precondition(
    'too_many_children',
    `what this was in holds ${max} objects by now, which is the most that it can`,
  )

/** `field` is the member of the body that named the parent. */
export const parentMissing = (field = 'parent') => invalid(field, 'does not exist')
/** To be tried again. */
export const busy = () => unavailable('the parent is being moved: try again')
export const tooManyChildren = (field: string, max: number) =>
  invalid(field, `already holds ${max} objects, which is the maximum`)

export const alreadyMember = (username: string) =>
  conflict('already_member', `${username} is a member already`)
export const tooManyMembers = (max: number) =>
  invalid('username', `there are already ${max} members, which is the maximum`)
export const invitationMissing = () => notFound('this invitation')
export const tooManyInvitations = (field: string, max: number) =>
  invalid(field, `already has ${max} open invitations, which is the maximum`)
export const tooManyShares = (max: number) =>
  invalid('username', `this is already shared with ${max} users, which is the maximum`)
export const linksNotAllowed = () =>
  failure(
    Code.PermissionDenied,
    'link_sharing_not_allowed',
    'sharing by link is not allowed by this installation or by the organization of this workspace',
  )

const duplicateLeaf = () => conflict('duplicate_leaf', 'leaves: an object with this id exists')

/** 403 that names the limit: `error` is the plan's member. */
export const planLimit = (
  limit: 'max_storage_bytes' | 'max_users' | 'allow_flexible_storage',
  message: string,
) => failure(Code.PermissionDenied, limit, message)
export const managedByOrganization = () =>
  precondition('managed_by_organization', 'only the organization of this workspace can change this')
export const planInUse = () =>
  precondition(
    'plan_in_use',
    'the plan is the default plan, or a subscription or a promotion code uses it',
  )
export const planExists = () => conflict('duplicate_plan', 'name: another plan has this name')
export const promotionExists = () =>
  conflict('duplicate_promotion', 'promotion_code: another promotion has this code')

/** By the name of the constraint that was violated. */
export const byConstraint = {
  node_pkey: duplicateId,
  leaf_pkey: duplicateLeaf,
  plan_name_key: planExists,
  promotion_pkey: promotionExists,
}
