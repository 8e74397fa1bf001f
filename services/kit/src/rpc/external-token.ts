import { createHash } from 'node:crypto'
import type { Client } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import type { SignInService } from '@figbase/proto/identity/sign-in'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import { ourIssuer } from '../keys/user-tokens.js'
import { actAs } from './call.js'
import { system } from './principal.js'

/** Returns the user of an external access token; rejects with `token_not_valid` if it is invalid. */
export type ReadExternalToken = (token: string, address: string) => Promise<Principal>

const callTimeoutMs = 20_000
const cacheMs = 60_000
const tokensMax = 10_000

type Entry = { principal: Principal; until: number }

/** Calls identity and caches the result for a minute, but not beyond the token's expiry. */
export function readExternalTokenWith(
  signIn: Pick<Client<typeof SignInService>, 'authenticateForeignToken'>,
): ReadExternalToken {
  const cache = new LRUCache<string, Entry>({ max: tokensMax })
  return async (token, address) => {
    const name = createHash('sha256').update(token).digest('base64')
    const found = cache.get(name)
    if (found && Date.now() < found.until) return found.principal
    const call = { ...actAs(system, '', address), timeoutMs: callTimeoutMs }
    const { principal, expiresOn } = await signIn.authenticateForeignToken({ token }, call)
    if (!principal || !expiresOn) throw new Error('identity returned no principal')
    const until = Math.min(Date.now() + cacheMs, Number(expiresOn.seconds) * 1000)
    cache.set(name, { principal: Object.freeze(principal), until })
    return principal
  }
}

/** Whether a token names another issuer. */
export function isExternal(token: string): boolean {
  const issuer = issuerOf(token)
  return issuer !== undefined && issuer !== ourIssuer
}

function issuerOf(token: string): unknown {
  try {
    const claims = jwt.decode(token)
    return typeof claims === 'object' ? claims?.iss : undefined
  } catch {
    return undefined
  }
}
