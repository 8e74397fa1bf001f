import { Permission } from '@figbase/proto/catalog'
import type { NodeKind, Role } from '../db/schema.js'

const rank = { viewer: 1, creator: 2, admin: 3, owner: 4 } satisfies Record<Role, number>

/** The least role that each permission needs on an object. */
const leastRole = {
  [Permission.VIEW]: 'viewer',
  [Permission.CREATE]: 'creator',
  [Permission.UPDATE]: 'creator',
  [Permission.DELETE]: 'creator',
  [Permission.SHARE]: 'creator',
  [Permission.MANAGE]: 'admin',
} as const satisfies Partial<Record<Permission, Role>>

/** A workspace itself is changed and deleted by those who manage it, not by all who work in it. */
const leastRoleOnWorkspace: Partial<Record<Permission, Role>> = {
  [Permission.UPDATE]: 'admin',
  [Permission.DELETE]: 'owner',
}

/** Whether the best role that a caller has on an object's path carries the permission. */
export function allows(role: Role | null, permission: Permission, type: NodeKind): boolean {
  if (!role || permission === Permission.UNSPECIFIED) return false
  const special = type === 'workspace' ? leastRoleOnWorkspace[permission] : undefined
  return rank[role] >= rank[special ?? leastRole[permission]]
}
