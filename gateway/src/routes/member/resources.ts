import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Guard } from '../../endpoint.js'
import { grantableTypes, roleOf } from '../../shapes/member.js'
import { nounOf } from '../nouns.js'

/** The types of objects that have members. */
export const membershipResources = [
  { segment: 'organization', type: NodeType.ORGANIZATION },
  { segment: 'workspace', type: NodeType.WORKSPACE },
] as const

export type MembershipResource = (typeof membershipResources)[number]

export const username = z.string('must be a username')
export const membershipType = ({ segment }: MembershipResource) =>
  z.enum<readonly string[]>(grantableTypes[segment])

export const memberBody = (resource: MembershipResource) =>
  z.object({ username, membership_type: membershipType(resource) }).meta({
    id: `${nounOf(resource.segment).idPart}MemberUpdate`,
    description: 'A member and their role.',
  })

export const removedMemberBody = z
  .object({ username })
  .meta({ id: 'RemovedMember', description: 'A member to remove.' })

export const memberIn = (body: z.output<ReturnType<typeof memberBody>>) => ({
  username: body.username,
  role: roleOf(body.membership_type),
})

export const manageGuard =
  ({ type }: MembershipResource) =>
  ({ id = '' }: Record<string, string>): Guard => ({ id, permission: Permission.MANAGE, type })
