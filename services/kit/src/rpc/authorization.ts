import type { Principal } from '@figbase/proto/common'
import { unauthenticated } from '../errors/errors.js'
import type { KeyRing } from '../keys/keys.js'
import { verifyAccessToken } from '../keys/user-tokens.js'
import type { ReadApiKey } from './api-key.js'
import { isExternal, type ReadExternalToken } from './external-token.js'
import { user } from './principal.js'

/** Readers of credentials: own access tokens are verified locally, all others by identity. */
export type CredentialReaders = {
  tokens: KeyRing
  readApiKey: ReadApiKey
  readExternalToken: ReadExternalToken
}

/**
 * Returns the principal of an `Authorization` header, for REST and gRPC; never the system. Returns a promise only for
 * API keys and external tokens. `address`: that of the client.
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

/** Tries own tokens first: these are cached, whereas reading a token's issuer takes 9 µs. */
function readBearer(
  token: string,
  { tokens, readExternalToken }: CredentialReaders,
  address: string,
): Principal | Promise<Principal> {
  try {
    const { username, isStaff } = verifyAccessToken(token, tokens)
    return user(username, isStaff)
  } catch (error) {
    if (!isExternal(token)) throw error
    return readExternalToken(token, address)
  }
}
