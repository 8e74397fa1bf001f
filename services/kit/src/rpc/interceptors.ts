import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { constraintOf } from '../db/pg-errors.js'
import { detailOf, failure, failureWith } from '../errors.js'
import type { KeyRing } from '../keys.js'
import type { Logger } from '../log.js'
import type { CallServed } from '../metrics/metrics.js'
import { ObjectMissing, StorageUnavailable } from '../ports/objects/port.js'
import { type CallerKeys, callerKey, readCaller } from './caller.js'
import {
  clientAddressHeader,
  clientAddressKey,
  principalHeader,
  principalKey,
  requestIdHeader,
  requestIdKey,
  signPrincipal,
} from './principal.js'

/** An error for each constraint that a caller can run into, by the constraint's name. */
export type ConstraintErrors = Record<string, () => ConnectError>

/** Authenticates the caller, turns unknown errors into `internal`, logs each call and measures it. */
export function serverInterceptor(
  keys: CallerKeys,
  log: Logger,
  byConstraint: ConstraintErrors,
  served?: CallServed,
): Interceptor {
  return (next) => async (req) => {
    const started = performance.now()
    const rpc = `${req.service.typeName}/${req.method.name}`
    let requestId = ''
    const done = (error?: unknown) => {
      const code = error instanceof ConnectError ? Code[error.code] : 'Ok'
      const ms = Math.round((performance.now() - started) * 100) / 100
      served?.(req.method, code, ms)
      log.debug({ rpc, requestId, code, ms }, 'call')
    }
    const publicError = (cause: unknown) => {
      const error = toPublic(cause, byConstraint)
      const isOurs = error.code === Code.Internal || error.code === Code.Unknown
      if (isOurs || isOfStore(cause)) {
        log.error({ rpc, requestId, err: cause }, 'call failed')
      }
      done(error)
      return error
    }
    try {
      const read = req.contextValues.get(callerKey) ?? readCaller(req, req.method, keys)
      const caller = read instanceof Promise ? await read : read
      requestId = caller.requestId
      req.contextValues
        .set(principalKey, caller.principal)
        .set(requestIdKey, requestId)
        .set(clientAddressKey, caller.address)
      const res = await next(req)
      if (!res.stream) {
        done()
        return res
      }
      return { ...res, message: guarded(res.message, req.signal, publicError, done) }
    } catch (cause) {
      throw publicError(cause)
    }
  }
}

/**
 * Ends the handler of a stream with its call: neither Connect nor Node's HTTP/2 does when the
 * caller is gone, and the handler would hold what it opened.
 */
async function* guarded<T>(
  messages: AsyncIterable<T>,
  signal: AbortSignal,
  publicError: (cause: unknown) => ConnectError,
  done: () => void,
) {
  const source = messages[Symbol.asyncIterator]()
  const leave = () => void source.return?.().catch(() => {})
  signal.addEventListener('abort', leave)
  let failed = false
  try {
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } catch (cause) {
    failed = true
    throw publicError(cause)
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    if (!failed) done()
  }
}

/** The store fails, or has lost what was in it: also somebody else's bucket. */
const isOfStore = (cause: unknown) =>
  cause instanceof StorageUnavailable || cause instanceof ObjectMissing

function toPublic(cause: unknown, byConstraint: ConstraintErrors): ConnectError {
  if (cause instanceof ConnectError) return cause
  const constraint = constraintOf(cause) ?? ''
  const named = Object.hasOwn(byConstraint, constraint) ? byConstraint[constraint] : undefined
  if (named) return named()
  if (isOfStore(cause)) {
    const message = 'the store of this data does not answer as it should: try again later'
    return failure(Code.Unavailable, 'storage_unavailable', message)
  }
  if (cause instanceof Error && cause.name === 'AbortError') {
    // What Node's own functions throw; the cause is why the signal was aborted.
    if (cause.cause instanceof ConnectError) return cause.cause
    return failure(Code.Canceled, 'canceled', 'the call was canceled')
  }
  return failure(Code.Internal, 'internal', 'something went wrong on the server')
}

/** Signs the principal of the call, and drops a peer's headers from its errors. */
export function clientInterceptor(ring: KeyRing): Interceptor {
  return (next) => async (req) => {
    const principal = req.contextValues.get(principalKey)
    if (!principal) throw new Error(`${req.method.name} was called without a principal`)
    req.header.set(principalHeader, signPrincipal(principal, ring))
    const requestId = req.contextValues.get(requestIdKey)
    if (requestId) req.header.set(requestIdHeader, requestId)
    const address = req.contextValues.get(clientAddressKey)
    if (address) req.header.set(clientAddressHeader, address)
    try {
      const res = await next(req)
      return res.stream ? { ...res, message: withoutHeaders(res.message) } : res
    } catch (error) {
      throw stripped(error)
    }
  }
}

async function* withoutHeaders<T>(messages: AsyncIterable<T>) {
  try {
    yield* messages
  } catch (error) {
    throw stripped(error)
  }
}

/** Re-throwing a peer's error with its headers kills the stream of a gRPC server. */
function stripped(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const detail = detailOf(error)
  return detail
    ? failureWith(error.code, error.rawMessage, detail)
    : new ConnectError(error.rawMessage, error.code)
}
