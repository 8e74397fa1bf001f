import { isIP } from 'node:net'
import type { EnvReader } from '@figbase/kit/config'

const authMethods = ['client_secret_basic', 'client_secret_post'] as const

export type OidcSettings = Readonly<ReturnType<typeof readOidcSettings>>

export function readOidcSettings(env: EnvReader) {
  const settings = {
    issuer: env.text(
      'OIDC_ISSUER',
      '',
      'issuer URL of the OpenID Connect provider, exactly as the provider states it',
    ),
    name: env.text('OIDC_NAME', '', 'display name of the provider; default: its host'),
    clientId: env.text('OIDC_CLIENT_ID', '', 'client id of the web application'),
    clientSecret: env.text(
      'OIDC_CLIENT_SECRET',
      '',
      'client secret of the web application, if it has one',
    ),
    clientAuthMethod: env.oneOf(
      'OIDC_CLIENT_AUTH_METHOD',
      authMethods,
      'client_secret_basic',
      'how the client secret is sent',
    ),
    cliClientId: env.text(
      'OIDC_CLI_CLIENT_ID',
      '',
      'client id for clients without a browser (device flow), published in `info/`',
    ),
    audience: env.text(
      'OIDC_AUDIENCE',
      '',
      'audience that access tokens must have to be accepted; empty: none are accepted',
    ),
    scopes: env.text('OIDC_SCOPES', 'openid profile email', 'scopes to request'),
    timeoutMs: env.duration('OIDC_TIMEOUT', '5s', 'timeout of requests to the provider'),
    retryDelayMs: env.duration(
      'OIDC_RETRY_DELAY',
      '5s',
      'delay after a failed request to the provider before the next one',
    ),
    keysCooldownMs: env.duration(
      'OIDC_KEYS_COOLDOWN',
      '30s',
      'minimum time between requests for the keys of the provider when a token has an unknown key id',
    ),
  }
  const problem = problemOf(settings)
  if (problem) env.problems.push(problem)
  return settings
}

type Texts = { issuer: string; clientId: string; cliClientId: string; audience: string }

function problemOf({ issuer, clientId, cliClientId, audience }: Texts) {
  if (!issuer) {
    return clientId || cliClientId || audience ? 'OIDC_ISSUER is required with OIDC_…' : undefined
  }
  if (!isSecureUrl(issuer)) {
    return `OIDC_ISSUER: '${issuer}' is not valid (an https address; http on loopback only)`
  }
  if (!clientId && !audience) return 'OIDC_CLIENT_ID or OIDC_AUDIENCE is required with OIDC_ISSUER'
  // ID tokens have the client id as audience: they would be accepted as access tokens.
  if (audience && [clientId, cliClientId].includes(audience)) {
    return 'OIDC_AUDIENCE: must not be a client id'
  }
  return undefined
}

/** Whether requests to the address cannot be read by others: https, or a server on this machine. */
export function isSecureUrl(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isLoopback = isIP(hostname)
    ? hostname.startsWith('127.')
    : /^(localhost|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}
