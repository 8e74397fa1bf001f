import { invalid } from '@figbase/kit/errors'
import { Role as RoleMessage } from '@figbase/proto/catalog'
import type { NodeKind, Role } from '../db/schema.js'

const words = {
  [RoleMessage.OWNER]: 'owner',
  [RoleMessage.ADMIN]: 'admin',
  [RoleMessage.CREATOR]: 'creator',
  [RoleMessage.VIEWER]: 'viewer',
  [RoleMessage.ORG_ADMIN]: 'org_admin',
  [RoleMessage.WORKSPACE_ADMIN]: 'workspace_admin',
  [RoleMessage.WORKSPACE_CREATOR]: 'workspace_creator',
  [RoleMessage.WORKSPACE_VIEWER]: 'workspace_viewer',
} as const satisfies Partial<Record<RoleMessage, Role>>

const messages = new Map<Role, RoleMessage>(
  Object.entries(words).map(([message, word]) => [word, Number(message)]),
)

export const toRole = (role: Role): RoleMessage => messages.get(role) ?? RoleMessage.UNSPECIFIED

/** The roles that members can be given. `owner` is not among them: only the creator of a workspace has it. */
const grantable: Partial<Record<NodeKind, readonly Role[]>> = {
  workspace: ['admin', 'creator', 'viewer'],
  organization: ['org_admin', 'workspace_admin', 'workspace_creator', 'workspace_viewer'],
}

/** The requested role. Throws `invalid` for a role that cannot be given in this kind of container. */
export function roleToGrant(kind: NodeKind, message: RoleMessage | undefined): Role {
  const role: Role | undefined = words[message as keyof typeof words]
  const roles = grantable[kind] ?? []
  if (!role || !roles.includes(role)) {
    throw invalid('membership_type', `must be one of ${roles.join(', ')}`)
  }
  return role
}
