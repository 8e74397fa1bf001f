import { denied, notFound, requireKeyAccess, unauthenticated } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { Config } from './config.js'
import type { HeldRole, NodeKind } from './db/schema.js'
import { accessFor, allows } from './domain/permissions.js'
import type { Subject } from './domain/subject.js'
import { nounOf } from './domain/types.js'
import type { ContainerKind } from './queries/organizations.js'

type Found = { type: NodeKind; roles: HeldRole[] } | undefined

/**
 * The one place that decides. Who lacks the permission: 401 if anonymous, whether the object exists
 * or not; 404 when it does not (or is of another kind); else 403. So does an API key that was made for
 * less than the permission.
 */
export function authorize<T extends Found>(
  node: T,
  permission: Permission,
  subject: Subject,
  kind?: NodeKind,
): NonNullable<T> {
  const isThere = node && (!kind || node.type === kind)
  if (isThere && allows(node.roles, permission, node.type)) {
    requireKeyAccess(subject, accessFor(permission))
    return node
  }
  if (!subject.username) throw unauthenticated('not_authenticated', 'sign in first')
  if (!isThere) throw notFound(kind ? nounOf[kind] : 'this object')
  throw denied(Permission[permission])
}

/**
 * Who may see what was deleted in a workspace or an organization: whose roles let them delete what is in
 * it, and so restore it.
 */
export function authorizeDeletions(node: Found, subject: Subject, kind: ContainerKind): void {
  const { roles } = authorize(node, Permission.VIEW, subject, kind)
  const inside = kind === 'workspace' ? 'analysis' : kind
  if (!allows(roles, Permission.DELETE, inside)) throw denied(Permission[Permission.DELETE])
}

/** What it takes to read the discussion of an object and to take part in it. */
export const permissionToComment = ({ linkSharingShowsComments }: Config): Permission =>
  linkSharingShowsComments ? Permission.VIEW : Permission.COMMENT
