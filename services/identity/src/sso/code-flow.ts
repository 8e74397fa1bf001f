import { seal, unseal } from '@figbase/kit'
import * as oidc from 'openid-client'
import type { Ctx } from '../context.js'
import { signInExpired, signInRefused } from '../errors.js'
import { spend } from '../queries/spent-tokens.js'
import { type ForeignIdentity, isSubject } from './access-token.js'
import type { Provider } from './provider.js'
import { completed } from './userinfo.js'

/** What a browser keeps while it is at the provider; only we can read it. */
type Flow = {
  id: string
  state: string
  nonce: string
  verifier: string
  redirectUri: string
  next: string
  expiresOn: number
}

/** For `keys.derive`: what flows are sealed with. */
export const flowPurpose = 'sign-in flows'

const context = 'sign-in flow'
const flowLifeMs = 10 * 60_000

/** Where a browser is sent, and what it must bring back. */
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

export type Finished = ForeignIdentity & {
  next: string
  claims(): Promise<Record<string, unknown>>
}

/**
 * Who came back, with the flow of the same browser; each flow ends once. `query` is what the provider put into
 * the address.
 */
export async function finishFlow(
  ctx: Ctx,
  provider: Provider,
  { flow: sealed, query }: { flow: string; query: string },
): Promise<Finished> {
  const flow = openFlow(ctx, sealed)
  const url = new URL(flow.redirectUri)
  url.search = query
  if (url.searchParams.get('state') !== flow.state) throw signInExpired()
  const isFirst = await ctx.write((db) => spend(db, flow))
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
    claims: () => completed(provider, claims, token),
  }
}

function openFlow({ flowKeys }: Ctx, sealed: string): Flow {
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

/** Trades the code, and checks the ID token that comes for it: signature, issuer, audience, nonce, time. */
async function exchange(provider: Provider, config: oidc.Configuration, url: URL, flow: Flow) {
  try {
    return await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
  } catch (error) {
    throw isRefusal(error) ? signInRefused() : provider.away(error)
  }
}

/** The browser, or what the provider says of it, is at fault; all else is that the provider does not work. */
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
