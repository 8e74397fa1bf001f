import { Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { EffectiveRole, NodeKind } from '../db/schema.js'

const { VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE, COMMENT } = Permission

/** The scope of a permission: the container itself, or the content of a workspace. */
export type Place = 'organization' | 'workspace' | 'content'

const reading = [VIEW, COMMENT]
const all = [...reading, CREATE, UPDATE, DELETE, SHARE, MANAGE]

/** Changing or deleting a workspace itself takes a managing role; working in it does not suffice. */
const inWorkspace = {
  owner: { workspace: all, content: all },
  admin: { workspace: [...reading, CREATE, UPDATE, SHARE, MANAGE], content: all },
  creator: {
    workspace: [...reading, CREATE, SHARE],
    content: [...reading, CREATE, UPDATE, DELETE, SHARE],
  },
  viewer: { workspace: reading, content: reading },
}

/** All permissions. */
export const allPermissions: readonly Permission[] = all

/** The permissions of each role. A share with a user grants `viewer`; a link grants everybody `link_viewer`. */
export const permissions: Record<EffectiveRole, Partial<Record<Place, Permission[]>>> = {
  ...inWorkspace,
  org_admin: { organization: all, ...inWorkspace.owner },
  workspace_admin: { organization: [...reading, CREATE], ...inWorkspace.admin },
  workspace_creator: { organization: [...reading, CREATE], ...inWorkspace.creator },
  workspace_viewer: { organization: reading, ...inWorkspace.viewer },
  link_viewer: { content: [VIEW] },
}

/** Whether any of the caller's roles on the path of an object grants the permission. */
export function allows(roles: EffectiveRole[], permission: Permission, kind: NodeKind): boolean {
  const place = placeOf(kind)
  return roles.some((role) => permissions[role][place]?.includes(permission))
}

/**
 * The API key access that a permission takes in every RPC. SHARE and MANAGE take READ only, because lists of
 * shares and members need them too; the RPCs that change shares, members or settings require more themselves.
 */
export function accessFor(permission: Permission): ApiKeyAccess {
  if (permission === DELETE) return ApiKeyAccess.FULL
  return permission === CREATE || permission === UPDATE ? ApiKeyAccess.PUBLISH : ApiKeyAccess.READ
}

const placeOf = (kind: NodeKind): Place =>
  kind === 'organization' || kind === 'workspace' ? kind : 'content'
