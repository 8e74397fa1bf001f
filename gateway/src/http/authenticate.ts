import type { IncomingMessage } from 'node:http'
import { Code } from '@connectrpc/connect'
import { hasCode, unauthenticated } from '@figbase/kit/errors'
import { anonymous, type CredentialReaders, readAuthorization } from '@figbase/kit/rpc'
import type { Principal } from '@figbase/proto/common'
import type { Route } from '../endpoint.js'
import { ifAvailable } from '../if-available.js'
import type { Gateway } from './gateway.js'
import { readSession } from './session.js'

/**
 * The principal of a request; throws a 401 if the credentials are invalid, or required and missing. Returns a
 * promise only if the identity service must be called, so that other requests do not wait.
 */
export function authenticate(
  gateway: Gateway,
  endpoint: Route,
  req: IncomingMessage,
  address: string,
): Principal | Promise<Principal> {
  const header = endpoint.auth === 'none' ? undefined : req.headers.authorization
  if (endpoint.acceptsSession && header === undefined && req.headers.cookie) {
    const session = readSession(gateway, req)
    // What is the same for everybody must not wait for the session.
    if (endpoint.auth === 'none') return ifAvailable(session).then((found) => found ?? anonymous)
    return session.then((principal) => {
      requireCaller(endpoint, principal)
      return principal
    })
  }
  const principal = readPrincipal(header, gateway.credentials, address)
  if (principal instanceof Promise) return principal
  requireCaller(endpoint, principal)
  return principal
}

/** Throws a 401 if the endpoint needs a caller, and there is none. */
export function requireCaller({ auth }: Route, { username }: Principal): void {
  if (auth === 'required' && !username) {
    throw unauthenticated(
      'not_authenticated',
      'authentication required: send an Authorization header',
    )
  }
}

/** Whether the credentials are still valid. If that cannot be determined, the response continues. */
export async function isStillValid(
  gateway: Gateway,
  endpoint: Route,
  req: IncomingMessage,
  address: string,
): Promise<boolean> {
  try {
    await authenticate(gateway, endpoint, req, address)
    return true
  } catch (error) {
    return !hasCode(error, Code.Unauthenticated)
  }
}

/**
 * The principal of the `Authorization` header; throws a 401 if it is invalid. Returns a promise only if the
 * identity service must be called.
 */
function readPrincipal(
  header: string | undefined,
  readers: CredentialReaders,
  address: string,
): Principal | Promise<Principal> {
  return header === undefined ? anonymous : readAuthorization(header, readers, address)
}
