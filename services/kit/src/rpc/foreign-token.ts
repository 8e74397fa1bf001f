import { createHash } from 'node:crypto'
import type { Client } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import type { SignInService } from '@figbase/proto/identity/sign-in'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import { ourIssuer } from '../user-tokens.js'
import { actAs } from './call.js'
import { system } from './principal.js'

/** Whose access token of another issuer this is; rejects with `token_not_valid` when it is nobody's. */
export type ReadForeignToken = (token: string, address: string) => Promise<Principal>

const callTimeoutMs = 20_000
const rememberedMs = 60_000
const tokensMax = 10_000

type Known = { principal: Principal; until: number }

/** Asks identity, and remembers for a minute, but never longer than the token is good, what it answered. */
export function readForeignTokenWith(
  signIn: Pick<Client<typeof SignInService>, 'authenticateForeignToken'>,
): ReadForeignToken {
  const known = new LRUCache<string, Known>({ max: tokensMax })
  return async (token, address) => {
    const name = createHash('sha256').update(token).digest('base64')
    const found = known.get(name)
    if (found && Date.now() < found.until) return found.principal
    const call = { ...actAs(system, '', address), timeoutMs: callTimeoutMs }
    const { principal, expiresOn } = await signIn.authenticateForeignToken({ token }, call)
    if (!principal || !expiresOn) throw new Error('identity answered without a principal')
    const until = Math.min(Date.now() + rememberedMs, Number(expiresOn.seconds) * 1000)
    known.set(name, { principal: Object.freeze(principal), until })
    return principal
  }
}

/** Whether a token says that somebody else than we issued it. */
export function isForeign(token: string): boolean {
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
