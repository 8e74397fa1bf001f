import { denied, notFound, unauthenticated } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { NodeKind, Role } from './db/schema.js'
import { allows } from './domain/permissions.js'
import { nounOf } from './domain/types.js'

type Found = { type: NodeKind; role: Role | null } | undefined

/**
 * The one place that decides: 401 for an anonymous caller, whether the object exists or not; 404
 * when it does not (or is of another kind); 403 when the caller lacks the permission.
 */
export function authorize<T extends Found>(
  node: T,
  permission: Permission,
  subject: string,
  kind?: NodeKind,
): NonNullable<T> {
  if (!subject) throw unauthenticated('not_authenticated', 'sign in first')
  if (!node || (kind && node.type !== kind)) throw notFound(kind ? nounOf[kind] : 'this object')
  if (!allows(node.role, permission, node.type)) throw denied(Permission[permission])
  return node
}
