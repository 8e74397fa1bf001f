import { tokenNotValid } from '@figbase/kit/keys'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Provider } from './provider.js'

export type ExternalIdentity = { issuer: string; subject: string }

export type AccessToken = ExternalIdentity & { claims: JWTPayload; expiresOnMs: number }

/** Asymmetric algorithms only: with a shared secret, anyone who can verify a token could issue one. */
export const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const types = new Set(['jwt', 'at+jwt', 'application/at+jwt'])
const clockToleranceSeconds = 5

/** Verifies an access token of the provider; throws `token_not_valid` when it is invalid or has another audience. */
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
    const isAccess = types.has((protectedHeader.typ ?? 'jwt').toLowerCase()) && !isIdToken(payload)
    if (!isAccess || !isSubject(sub)) throw tokenNotValid()
    return { issuer, subject: sub, claims: payload, expiresOnMs: exp * 1000 }
  } catch (error) {
    throw error instanceof errors.JOSEError ? tokenNotValid() : error
  }
}

/** The bounds of the specification. */
export const isSubject = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text)

/** Whether it is an ID token: some providers issue these for any audience. */
const isIdToken = (claims: JWTPayload) => 'at_hash' in claims || claims.typ === 'ID'
