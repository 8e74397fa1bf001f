import type { KeyObject } from 'node:crypto'
import { anonymous, unauthenticated, user, verifyAccessToken } from '@figbase/kit'
import type { Principal } from '@figbase/proto/common'

/** Who the `Authorization` header says is calling; 401 when it says so wrongly. */
export function authenticate(header: string | undefined, key: KeyObject): Principal {
  if (header === undefined) return anonymous
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer': {
      const { username, isStaff } = verifyAccessToken(credential, key)
      return user(username, isStaff)
    }
    case 'token':
      // Never `token_not_valid` here: a client would retry without end.
      throw unauthenticated('authentication_failed', 'this API key is not valid')
    default:
      throw unauthenticated(
        'authentication_failed',
        'Authorization: send `Bearer <access token>` or `Token <API key>`',
      )
  }
}
