import { type Member, Role } from '@figbase/proto/catalog'
import { z } from 'zod'

const roleNames = {
  [Role.OWNER]: 'owner',
  [Role.ADMIN]: 'admin',
  [Role.CREATOR]: 'creator',
  [Role.VIEWER]: 'viewer',
  [Role.ORG_ADMIN]: 'org_admin',
  [Role.WORKSPACE_ADMIN]: 'workspace_admin',
  [Role.WORKSPACE_CREATOR]: 'workspace_creator',
  [Role.WORKSPACE_VIEWER]: 'workspace_viewer',
} as const satisfies Partial<Record<Role, string>>

export const membershipTypes = Object.values(roleNames) as [string, ...string[]]

/** The membership types that can be granted. The owner of a workspace is set when it is created. */
export const grantableTypes = {
  workspace: ['admin', 'creator', 'viewer'],
  organization: ['org_admin', 'workspace_admin', 'workspace_creator', 'workspace_viewer'],
} as const

export const roleOf = (word: string): Role =>
  Number(Object.entries(roleNames).find(([, known]) => known === word)?.[0] ?? Role.UNSPECIFIED)

export const membershipTypeOf = (role: Role): string | null =>
  role === Role.UNSPECIFIED ? null : roleNames[role]

export const memberSchema = z
  .object({
    username: z.string(),
    membership_type: z.enum(membershipTypes).nullable(),
  })
  .meta({ id: 'Member', description: 'A member of a workspace or an organization.' })

export const memberShape = ({ username, role }: Member) => ({
  username,
  membership_type: membershipTypeOf(role),
})
