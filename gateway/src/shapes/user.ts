import type { User } from '@figbase/proto/identity'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import { datetime, isoOrNull } from './common.js'

export const userProfile = z.record(z.string(), z.unknown(), 'must be an object').meta({
  description:
    'Free-form. `mention_emails`: false for no e-mails about mentions; `mail_language`: language of e-mails.',
})

/** Of other users, only the public members are set. */
export const userSchema = z
  .object({
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    date_joined: datetime,
    avatar: z.string().nullable(),
    using_auth0: z.boolean(),
    email: z.string().optional(),
    email_confirmed: z.boolean().optional(),
    is_active: z.boolean().optional(),
    is_staff: z.boolean().optional(),
    user_profile: userProfile.optional(),
  })
  .meta({ id: 'User', description: 'A user. Of other users, only the public members are set.' })

export const userShape = (user: User) => ({
  username: user.username,
  first_name: user.firstName,
  last_name: user.lastName,
  date_joined: isoOrNull(user.dateJoined),
  avatar: user.avatar || null,
  using_auth0: user.usingAuth0,
  ...(user.private && {
    email: user.private.email,
    email_confirmed: user.private.emailConfirmed,
    is_active: user.private.isActive,
    is_staff: user.private.isStaff,
    user_profile: new RawJson(user.private.profileJson || '{}'),
  }),
})
