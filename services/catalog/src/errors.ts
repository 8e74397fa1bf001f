import { Code } from '@connectrpc/connect'
import {
  conflict,
  failure,
  invalid,
  notFound,
  precondition,
  unavailable,
} from '@figbase/kit/errors'
import type { NodeKind } from './db/schema.js'

export const duplicateId = () =>
  conflict('duplicate_client_id', 'client_id: an object with this id already exists')
export const versionMismatch = () =>
  precondition('version_mismatch', 'the object has changed since you read it: read it again')
export const cannotDeletePrimary = () =>
  precondition('primary_workspace', 'the primary workspace of a user cannot be deleted')

export const notDeleted = () => precondition('not_deleted', 'the object is not deleted')
/** Names the outermost deleted ancestor, which must be restored first. */
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
    `the parent ${type} is deleted: restore ${name ? `${JSON.stringify(name)} ` : ''}(${id}) first`,
  )
export const parentMoved = () =>
  precondition(
    'parent_moved',
    'the parent has moved since this object was deleted: move it back first',
  )
export const alreadyPurged = () =>
  precondition(
    'already_purged',
    'the object was deleted too long ago: it is purged and cannot be restored',
  )
export const parentFull = (max: number) =>
  precondition('too_many_children', `the parent already has ${max} children, which is the maximum`)

/** `field` is the request field that named the parent. */
export const parentNotFound = (field = 'parent') => invalid(field, 'does not exist')
/** The caller can retry. */
export const busy = () => unavailable('the parent is being moved: try again')
export const tooManyChildren = (field: string, max: number) =>
  invalid(field, `already has ${max} children, which is the maximum`)

export const alreadyMember = (username: string) =>
  conflict('already_member', `${username} is already a member`)
export const tooManyMembers = (max: number) =>
  invalid('username', `there are already ${max} members, which is the maximum`)
export const invitationNotFound = () => notFound('this invitation')
export const tooManyInvitations = (field: string, max: number) =>
  invalid(field, `already has ${max} open invitations, which is the maximum`)
export const tooManyShares = (max: number) =>
  invalid('username', `the object is already shared with ${max} users, which is the maximum`)
export const linksNotAllowed = () =>
  failure(
    Code.PermissionDenied,
    'link_sharing_not_allowed',
    'link sharing is disabled by this installation or by the organization of this workspace',
  )

const duplicateLeaf = () =>
  conflict('duplicate_leaf', 'leaves: an object with this id already exists')

/** 403 whose `error` is the exceeded limit of the plan. */
export const planLimit = (
  limit: 'max_storage_bytes' | 'max_users' | 'allow_flexible_storage',
  message: string,
) => failure(Code.PermissionDenied, limit, message)
export const managedByOrganization = () =>
  precondition('managed_by_organization', 'managed by the organization of this workspace')
export const planInUse = () =>
  precondition(
    'plan_in_use',
    'the plan is in use: it is the default, or a subscription or promotion code refers to it',
  )
export const planExists = () => conflict('duplicate_plan', 'name: is used by another plan')
export const promotionExists = () =>
  conflict('duplicate_promotion', 'promotion_code: is used by another promotion')

export const paymentsNotCollected = () =>
  precondition('payments_not_collected', 'this installation does not collect payments')
export const paymentsCollected = () =>
  precondition(
    'payments_collected',
    'the provider of payments tells Figbase when an invoice is paid',
  )
export const fullyCredited = () =>
  precondition('fully_credited', 'nothing is left of this invoice after its credit notes')

/** The errors for violated constraints. */
export const byConstraint = {
  node_pkey: duplicateId,
  leaf_pkey: duplicateLeaf,
  plan_name_key: planExists,
  promotion_pkey: promotionExists,
}
