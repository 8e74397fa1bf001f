import { Code } from '@connectrpc/connect'
import { conflict, failure, invalid, notFound, precondition, unavailable } from '@figbase/kit'

export const duplicateId = () =>
  conflict('duplicate_client_id', 'client_id: an object with this id exists already')
export const versionMismatch = () =>
  precondition('version_mismatch', 'the object was changed since you read it: read it again')
export const primaryStays = () =>
  precondition('primary_workspace', 'the primary workspace of a user cannot be deleted')
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
