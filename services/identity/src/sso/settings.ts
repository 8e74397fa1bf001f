import { isIP } from 'node:net'
import type { EnvReader } from '@figbase/kit'

const authMethods = ['client_secret_basic', 'client_secret_post'] as const

export type OidcSettings = Readonly<ReturnType<typeof readOidcSettings>>

export function readOidcSettings(env: EnvReader) {
  const settings = {
    issuer: env.text(
      'OIDC_ISSUER',
      '',
      'the OpenID Connect provider that people may sign in with, by the address that it calls itself',
    ),
    name: env.text('OIDC_NAME', '', 'what people call it; without: its host'),
    clientId: env.text('OIDC_CLIENT_ID', '', 'the id that it gave to Figbase as a website'),
    clientSecret: env.text('OIDC_CLIENT_SECRET', '', 'the secret to it, if there is one'),
    clientAuthMethod: env.oneOf(
      'OIDC_CLIENT_AUTH_METHOD',
      authMethods,
      'client_secret_basic',
      'how the secret is sent',
    ),
    cliClientId: env.text(
      'OIDC_CLI_CLIENT_ID',
      '',
      'the id that it gave to clients without a browser (device flow), as `info/` tells them',
    ),
    audience: env.text(
      'OIDC_AUDIENCE',
      '',
      'what its access tokens must be for, to be accepted; empty: none are',
    ),
    scopes: env.text('OIDC_SCOPES', 'openid profile email', 'what is asked of it'),
    timeoutMs: env.duration('OIDC_TIMEOUT', '5s', 'how long it may take to answer'),
    retryDelayMs: env.duration(
      'OIDC_RETRY_DELAY',
      '5s',
      'how long it is left alone after it did not answer',
    ),
    keysCooldownMs: env.duration(
      'OIDC_KEYS_COOLDOWN',
      '30s',
      'how long it is not asked again for its keys when a token names one that it does not have',
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
  if (!isSafe(issuer)) {
    return `OIDC_ISSUER: '${issuer}' is not valid (an https address; http on loopback only)`
  }
  if (!clientId && !audience) return 'OIDC_CLIENT_ID or OIDC_AUDIENCE is required with OIDC_ISSUER'
  // Tokens about a sign-in are for the client: they would pass for access tokens.
  if (audience && [clientId, cliClientId].includes(audience)) {
    return 'OIDC_AUDIENCE: must not be the id of a client'
  }
  return undefined
}

/** What travels there is seen by nobody else: https, or a server on this machine. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isHere = isIP(hostname)
    ? hostname.startsWith('127.')
    : /^(localhost|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}
