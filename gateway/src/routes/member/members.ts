import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Guard } from '../../endpoint.js'
import { grantableTypes, roleOf } from '../../shapes/member.js'

/** What has members. */
export const circles = [
  { segment: 'organization', type: NodeType.ORGANIZATION },
  { segment: 'workspace', type: NodeType.WORKSPACE },
] as const

export type Circle = (typeof circles)[number]

export const username = z.string('must be a username')
export const membershipType = ({ segment }: Circle) =>
  z.enum<readonly string[]>(grantableTypes[segment])

export const memberBody = (circle: Circle) =>
  z.object({ username, membership_type: membershipType(circle) })

export const memberIn = (body: z.output<ReturnType<typeof memberBody>>) => ({
  username: body.username,
  role: roleOf(body.membership_type),
})

export const managing =
  ({ type }: Circle) =>
  ({ id = '' }: Record<string, string>): Guard => ({ id, permission: Permission.MANAGE, type })
