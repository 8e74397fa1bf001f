import { type Account, type SignedIn, SignedInKind } from '@figbase/proto/identity/accounts'
import { z } from 'zod'
import { datetime, isoOrNull } from './common.js'

export const accountSchema = z
  .object({
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    email_confirmed: z.boolean(),
    state: z.enum(['active', 'inactive']),
    is_staff: z.boolean(),
    date_joined: datetime,
    last_sign_in: datetime.nullable().meta({
      description:
        'Sign-in with a password or the identity provider; null if none has been recorded.',
    }),
    storage_bytes: z.int().meta({
      description: 'The total size of the workspaces that the user owns.',
    }),
  })
  .meta({ id: 'Account', description: 'An account, as staff see it.' })

export const accountShape = (account: Account, storageBytes: bigint) => ({
  username: account.username,
  first_name: account.firstName,
  last_name: account.lastName,
  email: account.email,
  email_confirmed: account.emailConfirmed,
  state: account.isActive ? 'active' : 'inactive',
  is_staff: account.isStaff,
  date_joined: isoOrNull(account.dateJoined),
  last_sign_in: isoOrNull(account.lastSignIn),
  storage_bytes: Number(storageBytes),
})

export const sessionSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['token', 'browser']).meta({
      description: '`token`: a refresh token of a client; `browser`: the HTML pages.',
    }),
    user_agent: z.string(),
    address: z.string(),
    created_on: datetime,
    last_used_on: datetime.meta({ description: 'May lag by up to an hour.' }),
    expires_on: datetime,
  })
  .meta({ id: 'Session', description: 'A session of a user.' })

export const sessionShape = (session: SignedIn) => ({
  id: session.id,
  kind: session.kind === SignedInKind.BROWSER ? 'browser' : 'token',
  user_agent: session.userAgent,
  address: session.address,
  created_on: isoOrNull(session.createdOn),
  last_used_on: isoOrNull(session.lastUsedOn),
  expires_on: isoOrNull(session.expiresOn),
})
