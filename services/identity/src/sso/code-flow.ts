import { seal, unseal } from '@figbase/kit/keys'
import * as oidc from 'openid-client'
import type { Ctx } from '../context.js'
import { signInExpired, signInRefused } from '../errors.js'
import { markSpent } from '../queries/spent-tokens.js'
import { type ExternalIdentity, isSubject } from './access-token.js'
import type { Provider } from './provider.js'
import { withUserInfo } from './userinfo.js'

/** State of a sign-in, kept sealed in the browser while it is at the provider. */
type Flow = {
  id: string
  state: string
  nonce: string
  verifier: string
  redirectUri: string
  next: string
  expiresOn: number
}

/** Purpose for `keys.derive`. */
export const flowPurpose = 'sign-in flows'

const context = 'sign-in flow'
const flowLifeMs = 10 * 60_000

/** The URL to redirect the browser to, and the sealed flow that it must send back. */
export async function beginFlow(
  ctx: Ctx,
  provider: Provider,
  { redirectUri, next }: { redirectUri: string; next: string },
): Promise<{ authorizationUrl: string; flow: string }> {
  const { config } = await provider.discover()
  const flow: Flow = {
    id: ctx.newId(),
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    redirectUri,
    next,
    expiresOn: Date.now() + flowLifeMs,
  }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: provider.settings.scopes,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  })
  const sealed = seal(ctx.flowKeys, JSON.stringify(flow), context)
  return { authorizationUrl: url.href, flow: sealed.toString('base64url') }
}

export type Finished = ExternalIdentity & {
  next: string
  claims(): Promise<Record<string, unknown>>
}

/**
 * Completes a sign-in with the flow of the same browser; each flow can be used once. `query` is the query string of the
 * redirect from the provider.
 */
export async function finishFlow(
  ctx: Ctx,
  provider: Provider,
  { flow: sealed, query }: { flow: string; query: string },
): Promise<Finished> {
  const flow = unsealFlow(ctx, sealed)
  const url = new URL(flow.redirectUri)
  url.search = query
  if (url.searchParams.get('state') !== flow.state) throw signInExpired()
  const isFirst = await ctx.write((db) => markSpent(db, flow))
  if (!isFirst) throw signInExpired()

  const discovered = await provider.discover()
  const tokens = await exchange(provider, discovered.config, url, flow)
  const claims = tokens.claims()
  if (!claims || !isSubject(claims.sub)) throw signInRefused()
  const { issuer } = discovered
  const { access_token: token } = tokens
  return {
    issuer,
    subject: claims.sub,
    next: flow.next,
    claims: () => withUserInfo(provider, claims, token),
  }
}

function unsealFlow({ flowKeys }: Ctx, sealed: string): Flow {
  let text: string
  try {
    text = unseal(flowKeys, Buffer.from(sealed, 'base64url'), context)
  } catch {
    throw signInExpired()
  }
  const flow: Flow = JSON.parse(text)
  if (flow.expiresOn < Date.now()) throw signInExpired()
  return flow
}

/** Exchanges the code, and validates the ID token: signature, issuer, audience, nonce, time. */
async function exchange(provider: Provider, config: oidc.Configuration, url: URL, flow: Flow) {
  try {
    return await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
  } catch (error) {
    throw isRefusal(error) ? signInRefused() : provider.unavailable(error)
  }
}

/** Whether the sign-in was rejected; other errors mean that the provider is unavailable. */
function isRefusal(error: unknown) {
  if (error instanceof oidc.AuthorizationResponseError) return error.error !== 'server_error'
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant'
  return error instanceof oidc.ClientError && refusalCodes.has(error.code ?? '')
}

const refusalCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])
