import type { Grant, OwnActivity } from '@figbase/proto/catalog/people'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'
import { entityTypeOf } from './entity-type.js'
import { membershipTypeOf, membershipTypes } from './member.js'

/** A membership of a user, or an object shared with them. */
export const grantSchema = z
  .object({
    api_id: uuid,
    entity_type: z.string(),
    name: z.string().nullable(),
    is_share: z.boolean(),
    membership_type: z.enum(membershipTypes).nullable(),
    granted_by: z.string(),
    granted_on: datetime,
  })
  .meta({ id: 'Grant', description: 'A membership of a user, or an object shared with them.' })

export const grantShape = (grant: Grant) => ({
  api_id: grant.nodeId,
  entity_type: entityTypeOf(grant.type),
  name: grant.name || null,
  is_share: grant.isShare,
  membership_type: membershipTypeOf(grant.role),
  granted_by: grant.grantedBy,
  granted_on: isoOrNull(grant.grantedOn),
})

export const ownActivitySchema = z
  .object({
    api_id: uuid,
    timestamp: datetime,
    action: z.string(),
    target_id: uuid,
    target_type: z.string(),
    target_name: z.string().nullable(),
  })
  .meta({ id: 'OwnActivity', description: 'Something that the caller did.' })

export const ownActivityShape = (entry: OwnActivity) => ({
  api_id: entry.id,
  timestamp: isoOrNull(entry.at),
  action: entry.action,
  target_id: entry.targetId,
  target_type: entityTypeOf(entry.targetType),
  target_name: entry.targetName || null,
})
