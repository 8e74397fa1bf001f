import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { constraintOf, isServerAway } from '../db/pg-errors.js'
import { detailOf, failure, failureWith } from '../errors.js'
import type { KeyRing } from '../keys.js'
import type { Logger } from '../log.js'
import type { CallServed } from '../metrics/metrics.js'
import { ObjectMissing, StorageUnavailable } from '../ports/objects/port.js'
import { errorTypeOf } from '../tracing/error-type.js'
import { beginAnswer, beginCall, isFault, traceparentHeader } from '../tracing/rpc.js'
import { currentScope, inScope, type Scope } from '../tracing/scope.js'
import type { Span, Tracing } from '../tracing/span.js'
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

/** What else hears of each call. */
export type Watching = { served?: CallServed | undefined; tracing?: Tracing | undefined }

/**
 * Authenticates the caller, turns unknown errors into `internal`, logs each call, measures and traces
 * it.
 */
export function serverInterceptor(
  keys: CallerKeys,
  log: Logger,
  byConstraint: ConstraintErrors,
  { served, tracing }: Watching = {},
): Interceptor {
  return (next) => async (req) => {
    const started = performance.now()
    const rpc = `${req.service.typeName}/${req.method.name}`
    let scope: Scope = { requestId: '' }
    const done = (error?: unknown) => {
      const code = error instanceof ConnectError ? Code[error.code] : 'Ok'
      const ms = Math.round((performance.now() - started) * 100) / 100
      served?.(req.method, code, ms)
      scope.span?.end(isFault(code) ? code : undefined, { 'rpc.connect_rpc.error_code': code })
      inScope(scope, () => log.debug({ rpc, code, ms }, 'call'))
    }
    const publicError = (cause: unknown) => {
      const error = toPublic(cause, byConstraint)
      const isOurs = error.code === Code.Internal || error.code === Code.Unknown
      if (isOurs || isOfStore(cause)) {
        inScope(scope, () => log.error({ rpc, err: cause }, 'call failed'))
      } else if (isServerAway(cause)) {
        // Many of them come at once: each is told shortly.
        const reason = String(cause)
        inScope(scope, () => log.warn({ rpc, reason }, 'call failed: a server is away'))
      }
      done(error)
      return error
    }
    try {
      const read = req.contextValues.get(callerKey) ?? readCaller(req, req.method, keys)
      const caller = read instanceof Promise ? await read : read
      const { principal, requestId, address, isPeer } = caller
      scope = { requestId, span: beginAnswer(tracing, req.method, req.header, isPeer) }
      req.contextValues
        .set(principalKey, principal)
        .set(requestIdKey, requestId)
        .set(clientAddressKey, address)
      const res = await inScope(scope, () => next(req))
      if (!res.stream) {
        done()
        return res
      }
      return { ...res, message: guarded(res.message, scope, req.signal, publicError, done) }
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
  scope: Scope,
  signal: AbortSignal,
  publicError: (cause: unknown) => ConnectError,
  done: () => void,
) {
  const source = messages[Symbol.asyncIterator]()
  const leave = () => void source.return?.().catch(() => {})
  signal.addEventListener('abort', leave)
  const more = () => inScope(scope, () => source.next())
  let failed = false
  try {
    for (let next = await more(); !next.done; next = await more()) yield next.value
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
  if (isServerAway(cause)) {
    const message = 'a server that is needed for this does not answer: try again soon'
    return failure(Code.Unavailable, 'unavailable', message)
  }
  if (cause instanceof Error && cause.name === 'AbortError') {
    // What Node's own functions throw; the cause is why the signal was aborted.
    if (cause.cause instanceof ConnectError) return cause.cause
    return failure(Code.Canceled, 'canceled', 'the call was canceled')
  }
  return failure(Code.Internal, 'internal', 'something went wrong on the server')
}

/** Signs the principal of the call, continues its trace, and drops a peer's headers from its errors. */
export function clientInterceptor(ring: KeyRing): Interceptor {
  return (next) => async (req) => {
    const principal = req.contextValues.get(principalKey)
    if (!principal) throw new Error(`${req.method.name} was called without a principal`)
    req.header.set(principalHeader, signPrincipal(principal, ring))
    const requestId = req.contextValues.get(requestIdKey) || currentScope()?.requestId
    if (requestId) req.header.set(requestIdHeader, requestId)
    const address = req.contextValues.get(clientAddressKey)
    if (address) req.header.set(clientAddressHeader, address)
    const span = beginCall(req.method)
    if (span) req.header.set(traceparentHeader, span.traceparent)
    try {
      const res = await next(req)
      if (res.stream) return { ...res, message: withoutHeaders(res.message, span) }
      span?.end()
      return res
    } catch (error) {
      span?.end(errorTypeOf(error))
      throw stripped(error)
    }
  }
}

async function* withoutHeaders<T>(messages: AsyncIterable<T>, span: Span | undefined) {
  let failure: string | undefined
  try {
    yield* messages
  } catch (error) {
    failure = errorTypeOf(error)
    throw stripped(error)
  } finally {
    span?.end(failure)
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
