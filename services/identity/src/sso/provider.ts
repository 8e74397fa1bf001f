import { Code, type ConnectError } from '@connectrpc/connect'
import { failure, type Logger } from '@figbase/kit'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import * as oidc from 'openid-client'
import { isSafe, type OidcSettings } from './settings.js'

export type Discovered = {
  config: oidc.Configuration
  /** As it calls itself, to the last character. */
  issuer: string
  keys: JWTVerifyGetKey
}

export type Provider = {
  settings: OidcSettings
  /** Rejects with `unavailable` while it does not answer. */
  discover(): Promise<Discovered>
  /** The error for the caller, when the provider did not do its part; logs why. */
  away(cause: unknown): ConnectError
}

/** The provider of the settings, if they name one. */
export function createProvider(settings: OidcSettings, log: Logger): Provider | undefined {
  if (!settings.issuer) return undefined
  const away = (cause: unknown) => {
    const reason = reasonOf(cause)
    log.warn({ reason }, 'OIDC_ISSUER: the identity provider does not answer as it should')
    return failure(
      Code.Unavailable,
      'identity_provider_unavailable',
      'the identity provider does not answer: try again soon',
    )
  }
  const discover = kept(() => discovered(settings, away), settings.retryDelayMs)
  return { settings, discover, away }
}

type Away = Provider['away']

/** In words: whole errors hold answers of the provider, with tokens in them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code = '' } = error as { code?: string }
  const cause = reasonOf(error.cause)
  return [error.message, code && `(${code})`, cause && `because: ${cause}`]
    .filter(Boolean)
    .join(' ')
}

async function discovered(settings: OidcSettings, away: Away): Promise<Discovered> {
  const { issuer, clientId, cliClientId, timeoutMs } = settings
  const isPlain = issuer.startsWith('http:')
  const execute = [oidc.enableNonRepudiationChecks]
  if (isPlain) execute.push(oidc.allowInsecureRequests)
  const options = { execute, timeout: timeoutMs / 1000 }
  const id = clientId || cliClientId
  try {
    const url = new URL(issuer)
    const config = await oidc.discovery(url, id, undefined, authOf(settings), options)
    const { issuer: itself, jwks_uri: keysAt = '' } = config.serverMetadata()
    if (!isSafe(keysAt) || (!isPlain && keysAt.startsWith('http:'))) {
      throw new Error(`its keys are not at an https address: '${keysAt}'`)
    }
    return { config, issuer: itself, keys: keysOf(keysAt, settings, away) }
  } catch (error) {
    throw away(error)
  }
}

function authOf({ clientSecret, clientAuthMethod }: OidcSettings) {
  if (!clientSecret) return oidc.None()
  return clientAuthMethod === 'client_secret_post'
    ? oidc.ClientSecretPost(clientSecret)
    : oidc.ClientSecretBasic(clientSecret)
}

/**
 * A key by the header of a token. The provider is asked when one is missed, at most once in the cool-down; while
 * it does not answer, the keys that are known go on.
 */
function keysOf(url: string, settings: OidcSettings, away: Away): JWTVerifyGetKey {
  const { timeoutMs, keysCooldownMs, retryDelayMs } = settings
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: keysCooldownMs,
  })
  let failure: ConnectError | undefined
  let retryAt = 0
  return async (header, token) => {
    if (Date.now() >= retryAt) {
      try {
        return await remote(header, token)
      } catch (error) {
        if (isOfToken(error)) throw error
        failure = away(error)
        retryAt = Date.now() + retryDelayMs
      }
    }
    const known = createLocalJWKSet(remote.jwks() ?? { keys: [] })
    return known(header, token).catch(() => {
      throw failure
    })
  }
}

const isOfToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys

/** Done once for all who ask; after a failure, which all get meanwhile, not again before the delay is over. */
function kept<T>(make: () => Promise<T>, retryDelayMs: number): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (made) return made
    const making = make()
    made = making
    making.catch(() => {
      const forget = () => {
        made = undefined
      }
      setTimeout(forget, retryDelayMs).unref()
    })
    return making
  }
}
