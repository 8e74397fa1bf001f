import { type StaffAction, StaffActionKind } from '@figbase/proto/identity/staff'
import { z } from 'zod'
import { datetime, isoOrNull } from './common.js'

export const staffActionSchema = z
  .object({
    id: z.string(),
    created_on: datetime,
    created_by: z.string(),
    action: z.string().meta({ description: 'What was done, for example `deactivate_account`.' }),
    target: z.string().meta({
      description:
        'What it was done to: a username, the name of a plan, a code, names of settings.',
    }),
  })
  .meta({ id: 'StaffAction', description: 'What an administrator did.' })

export const staffActionShape = ({ id, createdOn, createdBy, kind, target }: StaffAction) => ({
  id,
  created_on: isoOrNull(createdOn),
  created_by: createdBy,
  action: (StaffActionKind[kind] ?? 'other').toLowerCase(),
  target,
})
