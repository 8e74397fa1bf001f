import type { Principal } from '@figbase/proto/common'
import { unauthenticated } from '../errors.js'
import type { KeyRing } from '../keys.js'
import { verifyAccessToken } from '../user-tokens.js'
import type { ReadApiKey } from './api-key.js'
import { isForeign, type ReadForeignToken } from './foreign-token.js'
import { user } from './principal.js'

/** What credentials are read with: our own access tokens here and at once, all else by asking identity. */
export type CredentialReaders = {
  tokens: KeyRing
  readApiKey: ReadApiKey
  readForeignToken: ReadForeignToken
}

/**
 * Whom an `Authorization` header names, over REST as over gRPC: never the system. A promise only
 * for an API key, or a token that somebody else issued. `address`: where it comes from.
 */
export function readAuthorization(
  header: string,
  readers: CredentialReaders,
  address: string,
): Principal | Promise<Principal> {
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return readBearer(credential, readers, address)
    case 'token':
      return readers.readApiKey(credential, address)
    default:
      throw unauthenticated(
        'authentication_failed',
        'Authorization: send `Bearer <access token>` or `Token <API key>`',
      )
  }
}

/** Ours are tried first: they are remembered, and to look whose a token is takes 9 µs. */
function readBearer(
  token: string,
  { tokens, readForeignToken }: CredentialReaders,
  address: string,
): Principal | Promise<Principal> {
  try {
    const { username, isStaff } = verifyAccessToken(token, tokens)
    return user(username, isStaff)
  } catch (error) {
    if (!isForeign(token)) throw error
    return readForeignToken(token, address)
  }
}
