import type { KeyObject } from 'node:crypto'
import type { Principal } from '@figbase/proto/common'
import { unauthenticated } from '../errors.js'
import { verifyAccessToken } from '../user-tokens.js'
import { user } from './principal.js'

/** Whom an `Authorization` header names, over REST as over gRPC: never the system. */
export function readAuthorization(header: string, key: KeyObject): Principal {
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
