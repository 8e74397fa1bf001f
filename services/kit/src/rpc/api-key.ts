import type { Client } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import type { IdentityService } from '@figbase/proto/identity'
import { actAsSystem } from './call.js'

/** Whose API key this is; rejects with `unauthenticated` when it is nobody's (any more). */
export type ReadApiKey = (token: string) => Promise<Principal>

const callTimeoutMs = 10_000

/** Asks identity each time: a key ends at once when it is deleted, and to the second when it expires. */
export function readApiKeyWith(
  identity: Pick<Client<typeof IdentityService>, 'authenticateApiKey'>,
): ReadApiKey {
  return async (token) => {
    const call = { ...actAsSystem(), timeoutMs: callTimeoutMs }
    const { principal } = await identity.authenticateApiKey({ token }, call)
    if (!principal) throw new Error('identity answered without a principal')
    return principal
  }
}
