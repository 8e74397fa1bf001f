import {
  type CallOptions,
  Code,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import { denied, failure, unauthenticated } from '../errors.js'
import { clientAddressKey, principalKey, requestIdKey, system } from './principal.js'

/** Who is calling: set by the server interceptor before any handler runs. */
export function principal(call: HandlerContext): Principal {
  const caller = call.values.get(principalKey)
  if (!caller) throw unauthenticated('not_authenticated', 'sign in first')
  return caller
}

/** The username of a signed-in caller; 401 for an anonymous one. */
export function requireUser(call: HandlerContext): string {
  const caller = principal(call)
  if (!caller.username) throw unauthenticated('not_authenticated', 'sign in first')
  return caller.username
}

/** The one workspace that the caller's API key is for; null: no such bound. */
export function onlyWorkspace(call: HandlerContext): string | null {
  return principal(call).apiKey?.workspaceId || null
}

/** As `requireUser`; refuses an API key for one workspace too, for what is in none. */
export function requireUnbound(call: HandlerContext): string {
  const username = requireUser(call)
  if (onlyWorkspace(call)) throw apiKeyRefused('this API key is for one workspace only')
  return username
}

/** As `requireUser`; refuses every API key too. */
export function requireSignIn(call: HandlerContext): string {
  const username = requireUser(call)
  if (principal(call).apiKey)
    throw apiKeyRefused('sign in with a password: API keys cannot do this')
  return username
}

const apiKeyRefused = (message: string) =>
  failure(Code.PermissionDenied, 'permission_denied', message)

/** The id of the request that this call serves, for logs and the activity log; may be empty. */
export function requestId(call: HandlerContext): string {
  return call.values.get(requestIdKey)
}

/**
 * The address from which the caller comes, as counts go by it: an IPv6 address is its /64. Empty when
 * nobody knows, or for a service that acts for itself.
 */
export function callerAddress(call: HandlerContext): string {
  return call.values.get(clientAddressKey)
}

/** Refuses everyone but our own services acting for themselves. */
export function requireSystem(call: HandlerContext): void {
  if (!principal(call).isSystem) throw denied('SYSTEM')
}

/** Refuses everyone but staff of this installation. */
export function requireStaff(call: HandlerContext): string {
  const username = requireUser(call)
  if (!principal(call).isStaff) throw denied('STAFF')
  return username
}

/** What a downstream call inherits: principal, request id, address, abort signal, deadline. */
export function forward(call: HandlerContext): CallOptions {
  const timeoutMs = call.timeoutMs()
  return {
    ...inherited(call),
    signal: call.signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** The same caller, but the call goes on when the caller hangs up: to settle or to clean up. */
export function forwardDetached(call: HandlerContext, timeoutMs = 10_000): CallOptions {
  return {
    ...inherited(call),
    timeoutMs,
  }
}

const inherited = (call: HandlerContext) =>
  actAs(principal(call), requestId(call), callerAddress(call))

/** For a job or the gateway: calls in the name of `subject`. */
export function actAs(subject: Principal, requestId = '', clientAddress = ''): CallOptions {
  const contextValues = createContextValues().set(principalKey, subject)
  if (requestId) contextValues.set(requestIdKey, requestId)
  if (clientAddress) contextValues.set(clientAddressKey, clientAddress)
  return { contextValues }
}

export const actAsSystem = (): CallOptions => actAs(system)
