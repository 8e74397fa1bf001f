import { isUuid } from '@figbase/kit/ids'
import { type KeyRing, type Keys, readToken, signToken } from '@figbase/kit/keys'

/** One browser of the owner of an instance, until the run of the instance ends. */
export type Session = {
  id: string
  instanceId: string
  runId: string
  username: string
  /** That of the user when the address was given out. */
  tokenGeneration: number
  /** The API key that asked for the address; empty: none. */
  apiKeyId: string
  /** In ms since 1970. */
  expiresAtMs: number
}

/** How long an address that opens a notebook can be used. */
export const addressLifetimeSeconds = 60

/** Signed tokens: the single-use address of a session, and the cookie that the browser then has. */
export type Tickets = {
  signAddress(session: Omit<Session, 'expiresAtMs'>): string
  /** Undefined unless it is valid. */
  readAddress(token: string): Session | undefined
  signCookie(session: Omit<Session, 'expiresAtMs'>, lifetimeMs: number): string
  readCookie(token: string): Session | undefined
}

export function createTickets(keys: Keys): Tickets {
  const addresses = keys.derive('addresses of notebooks')
  const cookies = keys.derive('sessions of notebooks')
  return {
    signAddress: (session) => sign(session, addresses, addressLifetimeSeconds),
    readAddress: (token) => read(token, addresses),
    signCookie: (session, lifetimeMs) => sign(session, cookies, Math.ceil(lifetimeMs / 1000)),
    readCookie: (token) => read(token, cookies),
  }
}

function sign(session: Omit<Session, 'expiresAtMs'>, ring: KeyRing, expiresIn: number): string {
  const { id, instanceId, runId, username, tokenGeneration, apiKeyId } = session
  const claims = { i: instanceId, r: runId, u: username, g: tokenGeneration, k: apiKeyId }
  return signToken(claims, ring, { jwtid: id, expiresIn })
}

function read(token: string, ring: KeyRing): Session | undefined {
  const { jti: id = '', i, r, u, g, k, exp } = readToken(token, ring, {}) ?? {}
  if (!isUuid(id) || !exp) return undefined
  return {
    id,
    instanceId: String(i),
    runId: String(r),
    username: String(u),
    tokenGeneration: Number(g),
    apiKeyId: String(k),
    expiresAtMs: exp * 1000,
  }
}
