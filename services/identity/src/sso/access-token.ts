import { tokenNotValid } from '@figbase/kit'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Provider } from './provider.js'

export type ForeignIdentity = { issuer: string; subject: string }

export type AccessToken = ForeignIdentity & { claims: JWTPayload; expiresOnMs: number }

/** With a public key each: with a shared secret whoever can check a token could make one. */
export const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const types = new Set(['jwt', 'at+jwt', 'application/at+jwt'])
const clockToleranceSeconds = 5

/** What an access token of the provider says; throws `token_not_valid` when it is not one for us. */
export async function readAccessToken(provider: Provider, token: string): Promise<AccessToken> {
  const { audience } = provider.settings
  if (!audience) throw tokenNotValid()
  const { issuer, keys } = await provider.discover()
  const requirements = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: clockToleranceSeconds,
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, requirements)
    const { sub = '', exp = 0 } = payload
    const isAccess = types.has((protectedHeader.typ ?? 'jwt').toLowerCase()) && !isOfSignIn(payload)
    if (!isAccess || !isSubject(sub)) throw tokenNotValid()
    return { issuer, subject: sub, claims: payload, expiresOnMs: exp * 1000 }
  } catch (error) {
    throw error instanceof errors.JOSEError ? tokenNotValid() : error
  }
}

/** As the specification bounds it. */
export const isSubject = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text)

/** Whether it is an ID token, which some providers make for an audience of choice, too. */
const isOfSignIn = (claims: JWTPayload) => 'at_hash' in claims || claims.typ === 'ID'
