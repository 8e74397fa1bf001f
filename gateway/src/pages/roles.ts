import { Role } from '@figbase/proto/catalog'
import type { MessageKey } from '../texts/texts.js'

/** The names of the roles. */
export const roles: Record<Exclude<Role, Role.UNSPECIFIED>, MessageKey> = {
  [Role.OWNER]: 'role.owner',
  [Role.ADMIN]: 'role.admin',
  [Role.CREATOR]: 'role.creator',
  [Role.VIEWER]: 'role.viewer',
  [Role.ORG_ADMIN]: 'role.orgAdmin',
  [Role.WORKSPACE_ADMIN]: 'role.workspaceAdmin',
  [Role.WORKSPACE_CREATOR]: 'role.workspaceCreator',
  [Role.WORKSPACE_VIEWER]: 'role.workspaceViewer',
}

/** Replicas of newer versions may have other roles. */
export const roleKey = (role: Role): MessageKey =>
  role === Role.UNSPECIFIED ? 'role.viewer' : (roles[role] ?? 'role.viewer')
