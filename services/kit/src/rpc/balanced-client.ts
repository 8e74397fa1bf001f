import { setTimeout as sleep } from 'node:timers/promises'
import type { DescMethod } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import type { UniversalClientFn, UniversalClientRequest } from '@connectrpc/connect/protocol'
import { ReplayableBody } from './replayable-body.js'
import { NoResponse, NotConnected, type Replica } from './replica.js'
import type { Replicas } from './replicas.js'
import { untilAborted } from './until-aborted.js'

export type BalancedOptions = {
  /** Name of the peer, for error messages. */
  name: string
  /** URL prefix before the path of a method. */
  baseUrl: string
  /** By path. */
  methods: Map<string, DescMethod>
  retriesMax: number
}

const timeoutHeader = 'connect-timeout-ms'
/** Doubled for the second retry. */
const retryDelayMs = 20

/**
 * Sends each call to one of the replicas. A call that could not be sent goes to the next replica, until all were tried.
 * A call that was sent without getting a response is retried only if the replica did not process it, or if it is
 * idempotent. A stream has no response before its first part. A response of a handler is final, whatever its code.
 */
export function createBalancedClient(
  replicas: Replicas,
  { name, baseUrl, methods, retriesMax }: BalancedOptions,
): UniversalClientFn {
  const unavailable = (cause: unknown) => {
    const message = `${name} is unavailable: ${cause instanceof Error ? cause.message : cause}`
    return new ConnectError(message, Code.Unavailable, undefined, undefined, cause)
  }
  return async (request) => {
    const path = request.url.slice(baseUrl.length)
    const method = methods.get(path)
    const body = replayableBody(request, method)
    try {
      const response = await send(path, method, request, body)
      body?.settle()
      return response
    } catch (error) {
      body?.settle(error)
      throw error
    }
  }

  async function send(
    path: string,
    method: DescMethod | undefined,
    request: UniversalClientRequest,
    body: ReplayableBody | undefined,
  ) {
    const { signal } = request
    const startedAt = performance.now()
    const notConnected = new Set<Replica>()
    const withoutResponse = new Set<Replica>()
    const awaitsBody = method?.methodKind === 'server_streaming' && isIdempotent(method)
    let retries = 0
    let cause: unknown
    for (;;) {
      const resolved = replicas.ready()?.catch((error) => {
        throw unavailable(error)
      })
      if (resolved) await (signal ? untilAborted(resolved, signal) : resolved)
      const replica = replicas.pick(notConnected, withoutResponse)
      if (!replica) throw unavailable(cause)
      try {
        const header = withRemainingTime(request.header, startedAt)
        const sent = { ...request, header, ...(body && { body: body.open() }) }
        return await replica.send(path, sent, { awaitsBody })
      } catch (error) {
        if (!(error instanceof NotConnected || error instanceof NoResponse)) throw error
        replicas.refreshSoon()
        cause = error
        if (error instanceof NotConnected) {
          notConnected.add(replica)
          continue
        }
        withoutResponse.add(replica)
        const mayRepeat = body?.isReplayable && (error.isUnprocessed || isIdempotent(method))
        if (!mayRepeat || ++retries > retriesMax) throw unavailable(error)
      }
      const delayMs = retryDelayMs * 2 ** (retries - 1) * (0.5 + Math.random())
      await (signal ? untilAborted(sleep(delayMs), signal) : sleep(delayMs))
    }
  }
}

const isIdempotent = (method: DescMethod | undefined) =>
  method !== undefined && method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN

/** Maximum number of bytes of an upload that are buffered for a retry. */
const uploadKeptMax = 2 ** 20

function replayableBody({ body }: UniversalClientRequest, method: DescMethod | undefined) {
  if (!body) return undefined
  const isWhole = method?.methodKind === 'unary' || method?.methodKind === 'server_streaming'
  return new ReplayableBody(body, isWhole ? Number.POSITIVE_INFINITY : uploadKeptMax)
}

/** Sets the remaining time of the call as its timeout. */
function withRemainingTime(header: Headers, startedAt: number): Headers {
  const timeoutMs = header.get(timeoutHeader)
  const elapsedMs = Math.floor(performance.now() - startedAt)
  if (!timeoutMs || elapsedMs === 0) return header
  const adjusted = new Headers(header)
  adjusted.set(timeoutHeader, String(Math.max(1, Number(timeoutMs) - elapsedMs)))
  return adjusted
}
