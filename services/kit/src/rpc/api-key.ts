import type { Client } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import type { IdentityService } from '@figbase/proto/identity'
import { actAs } from './call.js'
import { system } from './principal.js'

/**
 * Returns the owner of an API key; rejects with `unauthenticated` for an unknown or deleted key, and with
 * `resource_exhausted` after too many failures from the address.
 */
export type ReadApiKey = (token: string, address: string) => Promise<Principal>

const callTimeoutMs = 10_000

/** Calls identity each time, so that deletion and expiry of a key take effect at once. */
export function readApiKeyWith(
  identity: Pick<Client<typeof IdentityService>, 'authenticateApiKey'>,
): ReadApiKey {
  return async (token, address) => {
    const call = { ...actAs(system, '', address), timeoutMs: callTimeoutMs }
    const { principal } = await identity.authenticateApiKey({ token }, call)
    if (!principal) throw new Error('identity returned no principal')
    return principal
  }
}
