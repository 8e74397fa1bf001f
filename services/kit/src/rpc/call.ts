import {
  type CallOptions,
  Code,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import { denied, failure, unauthenticated } from '../errors/errors.js'
import {
  clientAddressKey,
  keyedRequestKey,
  principalKey,
  requestIdKey,
  system,
} from './principal.js'

/** The caller's principal, set by the server interceptor before a handler runs. */
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

/** The workspace to which the caller's API key is restricted; null if unrestricted. */
export function onlyWorkspace(call: HandlerContext): string | null {
  return principal(call).apiKey?.workspaceId || null
}

/** Like `requireUser`, but also refuses API keys restricted to a workspace; for resources outside of workspaces. */
export function requireUnbound(call: HandlerContext): string {
  const username = requireUser(call)
  if (onlyWorkspace(call)) throw apiKeyRefused('this API key is for one workspace only')
  return username
}

/** Like `requireUser`, but also refuses all API keys. */
export function requireSignIn(call: HandlerContext): string {
  const username = requireUser(call)
  if (principal(call).apiKey)
    throw apiKeyRefused('sign in with a password: API keys cannot do this')
  return username
}

const apiKeyRefused = (message: string) =>
  failure(Code.PermissionDenied, 'permission_denied', message)

/** The id of the client's request, for logs and the activity log; may be empty. */
export function requestId(call: HandlerContext): string {
  return call.values.get(requestIdKey)
}

/**
 * The client's address for rate limits: an IPv6 address is reduced to its /64. Empty if unknown, or for a service
 * that acts for itself.
 */
export function callerAddress(call: HandlerContext): string {
  return call.values.get(clientAddressKey)
}

/** The id of the keyed request whose effect this call is (see `once`); empty without an `Idempotency-Key`. */
export function keyedRequest(call: HandlerContext): string {
  return call.values.get(keyedRequestKey)
}

/** Makes calls with these options effects of a keyed request. A service does not forward this. */
export function setKeyedRequest({ contextValues }: CallOptions, id: string): void {
  contextValues?.set(keyedRequestKey, id)
}

/** Refuses all callers except services that act for themselves. */
export function requireSystem(call: HandlerContext): void {
  if (!principal(call).isSystem) throw denied('SYSTEM')
}

/** Refuses all callers except staff. */
export function requireStaff(call: HandlerContext): string {
  const username = requireUser(call)
  if (!principal(call).isStaff) throw denied('STAFF')
  return username
}

/** Options of a downstream call, which inherits principal, request id, address, abort signal and deadline. */
export function forward(call: HandlerContext): CallOptions {
  const timeoutMs = call.timeoutMs()
  return {
    ...inherited(call),
    signal: call.signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Like `forward`, but the call continues if the caller disconnects: to settle or to clean up. */
export function forwardDetached(call: HandlerContext, timeoutMs = 10_000): CallOptions {
  return {
    ...inherited(call),
    timeoutMs,
  }
}

const inherited = (call: HandlerContext) =>
  actAs(principal(call), requestId(call), callerAddress(call))

/** Options of a call on behalf of `subject`, for jobs and the gateway. */
export function actAs(subject: Principal, requestId = '', clientAddress = ''): CallOptions {
  const contextValues = createContextValues().set(principalKey, subject)
  if (requestId) contextValues.set(requestIdKey, requestId)
  if (clientAddress) contextValues.set(clientAddressKey, clientAddress)
  return { contextValues }
}

export const actAsSystem = (): CallOptions => actAs(system)
