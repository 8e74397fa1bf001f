import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '@figbase/kit/rpc'
import {
  type OpenIdProvider,
  type OpenIdProviderOptions,
  startOpenIdProvider,
} from '@figbase/kit/testing'
import { type Started, start, type Transport } from './started.js'

export type SsoStarted = AsyncDisposable & {
  at: Started
  provider: OpenIdProvider
  /** Authenticates an access token of the provider. */
  authenticate(token: string): Promise<{ username: string; isStaff: boolean }>
}

/** Retries until the provider is called again. */
export async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  const end = Date.now() + 10_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(20)
    }
  }
}

/** Starts identity with an OpenID Connect provider. */
export async function startWithProvider(
  transport: Transport,
  env: Record<string, string> = {},
  options: OpenIdProviderOptions = { hasClaimsInTokens: true },
  before: (provider: OpenIdProvider) => Promise<unknown> = async () => {},
): Promise<SsoStarted> {
  const provider = await startOpenIdProvider(options)
  await before(provider)
  const short = { OIDC_RETRY_DELAY: '50ms', OIDC_KEYS_COOLDOWN: '50ms' }
  const at = await start(transport, { ...provider.settings, ...short, ...env })
  return {
    at,
    provider,
    async authenticate(token) {
      const { principal } = await at.signIn.authenticateForeignToken({ token }, actAsSystem())
      if (!principal) throw new Error('no principal')
      const { username, isStaff } = principal
      return { username, isStaff }
    },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
