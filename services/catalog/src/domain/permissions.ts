import { Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { HeldRole, NodeKind } from '../db/schema.js'

const { VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE, COMMENT } = Permission

/** Where a permission holds: on the two containers themselves, or on what is in a workspace. */
export type Place = 'organization' | 'workspace' | 'content'

const reading = [VIEW, COMMENT]
const all = [...reading, CREATE, UPDATE, DELETE, SHARE, MANAGE]

/** A workspace itself is changed and deleted by those who manage it, not by all who work in it. */
const inWorkspace = {
  owner: { workspace: all, content: all },
  admin: { workspace: [...reading, CREATE, UPDATE, SHARE, MANAGE], content: all },
  creator: {
    workspace: [...reading, CREATE, SHARE],
    content: [...reading, CREATE, UPDATE, DELETE, SHARE],
  },
  viewer: { workspace: reading, content: reading },
}

/** Every permission that a role carries. A share with a user makes a viewer, a link a `link_viewer` of everybody. */
export const permissions: Record<HeldRole, Partial<Record<Place, Permission[]>>> = {
  ...inWorkspace,
  org_admin: { organization: all, ...inWorkspace.owner },
  workspace_admin: { organization: [...reading, CREATE], ...inWorkspace.admin },
  workspace_creator: { organization: [...reading, CREATE], ...inWorkspace.creator },
  workspace_viewer: { organization: reading, ...inWorkspace.viewer },
  link_viewer: { content: [VIEW] },
}

/** Whether any of the roles that a caller has on an object's path carries the permission. */
export function allows(roles: HeldRole[], permission: Permission, kind: NodeKind): boolean {
  const place = placeOf(kind)
  return roles.some((role) => permissions[role][place]?.includes(permission))
}

/**
 * What an API key must have been made for, whichever RPC asks. SHARE and MANAGE are needed to read,
 * too: who shares, or changes members and settings, is refused by the RPC.
 */
export function accessFor(permission: Permission): ApiKeyAccess {
  if (permission === DELETE) return ApiKeyAccess.FULL
  return permission === CREATE || permission === UPDATE ? ApiKeyAccess.PUBLISH : ApiKeyAccess.READ
}

const placeOf = (kind: NodeKind): Place =>
  kind === 'organization' || kind === 'workspace' ? kind : 'content'
