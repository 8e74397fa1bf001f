import { Code, type ConnectError } from '@connectrpc/connect'
import { failure } from '@figbase/kit/errors'
import type { Logger } from '@figbase/kit/log'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import * as oidc from 'openid-client'
import { isSecureUrl, type OidcSettings } from './settings.js'

export type Discovered = {
  config: oidc.Configuration
  /** Exactly as the provider states it. */
  issuer: string
  keys: JWTVerifyGetKey
}

export type Provider = {
  settings: OidcSettings
  /** Rejects with `unavailable` while the provider does not respond. */
  discover(): Promise<Discovered>
  /** Logs the cause, and returns the error for the caller. */
  unavailable(cause: unknown): ConnectError
}

/** Undefined when no issuer is configured. */
export function createProvider(settings: OidcSettings, log: Logger): Provider | undefined {
  if (!settings.issuer) return undefined
  const unavailable = (cause: unknown) => {
    const reason = reasonOf(cause)
    log.warn({ reason }, 'OIDC_ISSUER: request to the identity provider failed')
    return failure(
      Code.Unavailable,
      'identity_provider_unavailable',
      'the identity provider is unavailable: try again later',
    )
  }
  const discover = cached(() => runDiscovery(settings, unavailable), settings.retryDelayMs)
  return { settings, discover, unavailable }
}

type Unavailable = Provider['unavailable']

/** Text only: error objects contain responses of the provider, with tokens in them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code = '' } = error as { code?: string }
  const cause = reasonOf(error.cause)
  return [error.message, code && `(${code})`, cause && `cause: ${cause}`].filter(Boolean).join(' ')
}

async function runDiscovery(settings: OidcSettings, unavailable: Unavailable): Promise<Discovered> {
  const { issuer, clientId, cliClientId, timeoutMs } = settings
  const isPlain = issuer.startsWith('http:')
  const execute = [oidc.enableNonRepudiationChecks]
  if (isPlain) execute.push(oidc.allowInsecureRequests)
  const options = { execute, timeout: timeoutMs / 1000 }
  const id = clientId || cliClientId
  try {
    const url = new URL(issuer)
    const config = await oidc.discovery(url, id, undefined, authOf(settings), options)
    const { issuer: ownIssuer, jwks_uri: keysAt = '' } = config.serverMetadata()
    if (!isSecureUrl(keysAt) || (!isPlain && keysAt.startsWith('http:'))) {
      throw new Error(`jwks_uri must be an https URL: '${keysAt}'`)
    }
    return { config, issuer: ownIssuer, keys: keysOf(keysAt, settings, unavailable) }
  } catch (error) {
    throw unavailable(error)
  }
}

function authOf({ clientSecret, clientAuthMethod }: OidcSettings) {
  if (!clientSecret) return oidc.None()
  return clientAuthMethod === 'client_secret_post'
    ? oidc.ClientSecretPost(clientSecret)
    : oidc.ClientSecretBasic(clientSecret)
}

/**
 * Finds a key by the header of a token. Unknown keys are fetched from the provider, at most once per cool-down; while
 * the provider is unavailable, the known keys stay in use.
 */
function keysOf(url: string, settings: OidcSettings, unavailable: Unavailable): JWTVerifyGetKey {
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
        if (isKeyMismatch(error)) throw error
        failure = unavailable(error)
        retryAt = Date.now() + retryDelayMs
      }
    }
    const known = createLocalJWKSet(remote.jwks() ?? { keys: [] })
    return known(header, token).catch(() => {
      throw failure
    })
  }
}

const isKeyMismatch = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys

/** Caches the result. A failure is cached, too, until the retry delay is over. */
function cached<T>(load: () => Promise<T>, retryDelayMs: number): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    if (result) return result
    const pending = load()
    result = pending
    pending.catch(() => {
      const reset = () => {
        result = undefined
      }
      setTimeout(reset, retryDelayMs).unref()
    })
    return pending
  }
}
