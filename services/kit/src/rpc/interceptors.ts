import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { constraintOf, isServerUnavailable } from '../db/pg-errors.js'
import { detailOf, failure, failureWith } from '../errors/errors.js'
import type { KeyRing } from '../keys/keys.js'
import type { Logger } from '../log.js'
import type { CallServed } from '../metrics/metrics.js'
import { ObjectNotFound, StorageUnavailable } from '../objects/port.js'
import { errorTypeOf } from '../scope/error-type.js'
import { currentScope, inScope, type Scope } from '../scope/scope.js'
import type { Span, Tracing } from '../scope/span.js'
import { beginClientSpan, beginServerSpan, isFault, traceparentHeader } from '../tracing/rpc.js'
import { type CallerKeys, callerKey, readCaller } from './caller.js'
import {
  clientAddressHeader,
  clientAddressKey,
  keyedRequestHeader,
  keyedRequestKey,
  principalHeader,
  principalKey,
  requestIdHeader,
  requestIdKey,
  signPrincipal,
} from './principal.js'

/** Public errors of constraint violations, by constraint name. */
export type ConstraintErrors = Record<string, () => ConnectError>

/** Observers of each call. */
export type CallObservers = { served?: CallServed | undefined; tracing?: Tracing | undefined }

/**
 * Authenticates the caller, converts unknown errors to `internal`, and logs, measures and traces each call.
 */
export function serverInterceptor(
  keys: CallerKeys,
  log: Logger,
  byConstraint: ConstraintErrors,
  { served, tracing }: CallObservers = {},
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
      const error = isLeaving(cause, req.signal) ? canceled() : toPublic(cause, byConstraint)
      const isInternal = error.code === Code.Internal || error.code === Code.Unknown
      if (isInternal || isStoreError(cause)) {
        inScope(scope, () => log.error({ rpc, err: cause }, 'call failed'))
      } else if (isServerUnavailable(cause)) {
        // There may be many at once: log them briefly.
        const reason = String(cause)
        inScope(scope, () => log.warn({ rpc, reason }, 'call failed: a server is unavailable'))
      }
      done(error)
      return error
    }
    try {
      const read = req.contextValues.get(callerKey) ?? readCaller(req, req.method, keys)
      const caller = read instanceof Promise ? await read : read
      const { principal, requestId, address, keyedRequest, isPeer } = caller
      scope = { requestId, span: beginServerSpan(tracing, req.method, req.header, isPeer) }
      req.contextValues
        .set(principalKey, principal)
        .set(requestIdKey, requestId)
        .set(clientAddressKey, address)
        .set(keyedRequestKey, keyedRequest)
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
 * Ends the handler of a stream together with its call. Neither Connect nor Node's HTTP/2 does so when the caller
 * disconnects, and the handler would keep its resources.
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
    for (let next = await more(); !next.done; next = await more()) {
      try {
        yield next.value
      } catch (cause) {
        // The transport could not send the message: the caller has left.
        throw cause instanceof ConnectError ? cause : canceled()
      }
    }
  } catch (cause) {
    failed = true
    throw publicError(cause)
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    if (!failed) done()
  }
}

/**
 * Whether the error is only the reason why the caller has left: the reset of a stream, or what the caller aborted the
 * call with. A deadline has a code of its own.
 */
function isLeaving(cause: unknown, { aborted, reason }: AbortSignal): boolean {
  const isReason = cause === reason || (cause instanceof Error && cause.cause === reason)
  return aborted && isReason && !(reason instanceof ConnectError && reason.code !== Code.Internal)
}

/** The object store failed or lost an object; it may be a user's own. */
const isStoreError = (cause: unknown) =>
  cause instanceof StorageUnavailable || cause instanceof ObjectNotFound

const canceled = () => failure(Code.Canceled, 'canceled', 'the call was canceled')

function toPublic(cause: unknown, byConstraint: ConstraintErrors): ConnectError {
  if (cause instanceof ConnectError) return cause
  const constraint = constraintOf(cause) ?? ''
  const named = Object.hasOwn(byConstraint, constraint) ? byConstraint[constraint] : undefined
  if (named) return named()
  if (isStoreError(cause)) {
    const message = 'the storage of this data is unavailable: try again later'
    return failure(Code.Unavailable, 'storage_unavailable', message)
  }
  if (isServerUnavailable(cause)) {
    const message = 'a required server is unavailable: try again soon'
    return failure(Code.Unavailable, 'unavailable', message)
  }
  if (cause instanceof Error && cause.name === 'AbortError') {
    // Thrown by Node's functions; its cause is the reason of the abort.
    if (cause.cause instanceof ConnectError) return cause.cause
    return canceled()
  }
  return failure(Code.Internal, 'internal', 'something went wrong on the server')
}

/** Signs the call's principal, propagates its trace, and removes headers from the peer's errors. */
export function clientInterceptor(ring: KeyRing): Interceptor {
  return (next) => async (req) => {
    const principal = req.contextValues.get(principalKey)
    if (!principal) throw new Error(`${req.method.name} called without a principal`)
    req.header.set(principalHeader, signPrincipal(principal, ring))
    const requestId = req.contextValues.get(requestIdKey) || currentScope()?.requestId
    if (requestId) req.header.set(requestIdHeader, requestId)
    const address = req.contextValues.get(clientAddressKey)
    if (address) req.header.set(clientAddressHeader, address)
    const keyedRequest = req.contextValues.get(keyedRequestKey)
    if (keyedRequest) req.header.set(keyedRequestHeader, keyedRequest)
    const span = beginClientSpan(req.method)
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

/** Copies a peer's error without its headers, which would break the stream of a gRPC server. */
function stripped(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const detail = detailOf(error)
  return detail
    ? failureWith(error.code, error.rawMessage, detail)
    : new ConnectError(error.rawMessage, error.code)
}
