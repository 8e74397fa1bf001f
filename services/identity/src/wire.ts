import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit'
import { type User, UserSchema } from '@figbase/proto/identity'
import type { UserRow } from './db/schema.js'

/** `reader` sees the private fields of its own account only. */
export function toUser(row: UserRow, reader: string): User {
  return create(UserSchema, {
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    dateJoined: toTimestamp(row.date_joined),
    avatar: row.avatar ?? '',
    usingAuth0: row.using_auth0,
    ...(row.username === reader && {
      private: {
        email: row.email,
        emailConfirmed: row.email_confirmed,
        isActive: row.is_active,
        isStaff: row.is_staff,
        profileJson: row.profile,
      },
    }),
  })
}
