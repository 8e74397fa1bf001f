import type { Client } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import type { IdentityService } from '@figbase/proto/identity'
import { actAs } from './call.js'
import { system } from './principal.js'

/**
 * Whose API key this is; rejects with `unauthenticated` when it is nobody's (any more), and with
 * `resource_exhausted` when too many such came from the address.
 */
export type ReadApiKey = (token: string, address: string) => Promise<Principal>

const callTimeoutMs = 10_000

/** Asks identity each time: a key ends at once when it is deleted, and to the second when it expires. */
export function readApiKeyWith(
  identity: Pick<Client<typeof IdentityService>, 'authenticateApiKey'>,
): ReadApiKey {
  return async (token, address) => {
    const call = { ...actAs(system, '', address), timeoutMs: callTimeoutMs }
    const { principal } = await identity.authenticateApiKey({ token }, call)
    if (!principal) throw new Error('identity answered without a principal')
    return principal
  }
}
