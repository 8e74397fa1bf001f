import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { actAs, forward, forwardDetached, user } from '@figbase/kit/rpc'

/** For whom a story is saved. */
export type Acting = {
  signal: AbortSignal
  /** Options of a call that ends with the request or the task. */
  forward(): CallOptions
  /** Options of a call that goes on. */
  detached(timeoutMs?: number): CallOptions
}

export const callerOf = (call: HandlerContext): Acting => ({
  signal: call.signal,
  forward: () => forward(call),
  detached: (timeoutMs) => forwardDetached(call, timeoutMs),
})

const detachedMs = 10_000

/** A user in whose name a task runs. */
export const userOf = (username: string, signal: AbortSignal): Acting => ({
  signal,
  forward: () => ({ ...actAs(user(username)), signal }),
  detached: (timeoutMs = detachedMs) => ({ ...actAs(user(username)), timeoutMs }),
})
