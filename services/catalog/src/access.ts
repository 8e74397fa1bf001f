import { denied, notFound, unauthenticated } from '@figbase/kit/errors'
import { hasKeyAccess, requireKeyAccess } from '@figbase/kit/rpc'
import { Permission } from '@figbase/proto/catalog'
import type { Config } from './config.js'
import type { EffectiveRole, NodeKind } from './db/schema.js'
import { accessFor, allows, allPermissions } from './domain/permissions.js'
import type { Subject } from './domain/subject.js'
import { nounOf } from './domain/types.js'
import type { ContainerKind } from './queries/organizations.js'

type Found = { type: NodeKind; roles: EffectiveRole[] } | undefined

/**
 * The one place that decides permissions. Throws 401 for an anonymous caller, whether or not the object
 * exists; 404 when the object is missing or of another kind; 403 when the caller or their API key lacks
 * the permission.
 */
export function authorize<T extends Found>(
  node: T,
  permission: Permission,
  subject: Subject,
  kind?: NodeKind,
): NonNullable<T> {
  const exists = node && (!kind || node.type === kind)
  if (exists && allows(node.roles, permission, node.type)) {
    requireKeyAccess(subject, accessFor(permission))
    return node
  }
  if (!subject.username) throw unauthenticated('not_authenticated', 'sign in first')
  if (!exists) throw notFound(kind ? nounOf[kind] : 'this object')
  throw denied(Permission[permission])
}

/** All permissions on an object that its roles and the API key of the caller grant. */
export const permissionsOn = (
  { type, roles }: NonNullable<Found>,
  subject: Subject,
): Permission[] =>
  allPermissions.filter(
    (permission) => allows(roles, permission, type) && hasKeyAccess(subject, accessFor(permission)),
  )

/** Listing deletions in a container takes the right to delete its content, which includes restoring it. */
export function authorizeDeletions(node: Found, subject: Subject, kind: ContainerKind): void {
  const { roles } = authorize(node, Permission.VIEW, subject, kind)
  const contentKind = kind === 'workspace' ? 'analysis' : kind
  if (!allows(roles, Permission.DELETE, contentKind)) throw denied(Permission[Permission.DELETE])
}

/** The permission to read and write comments on an object. */
export const permissionToComment = ({ linkSharingShowsComments }: Config): Permission =>
  linkSharingShowsComments ? Permission.VIEW : Permission.COMMENT
