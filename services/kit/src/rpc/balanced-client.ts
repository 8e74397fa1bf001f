import { setTimeout as sleep } from 'node:timers/promises'
import type { DescMethod } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import type { UniversalClientFn, UniversalClientRequest } from '@connectrpc/connect/protocol'
import { KeptBody } from './kept-body.js'
import { Lost, type Replica, Unreachable } from './replica.js'
import type { Replicas } from './replicas.js'
import { untilAborted } from './until-aborted.js'

export type BalancedOptions = {
  /** What the replicas are, for messages. */
  name: string
  /** What stands before the paths of `methods` in the URL of a request. */
  baseUrl: string
  /** By path. */
  methods: Map<string, DescMethod>
  retriesMax: number
}

const timeoutHeader = 'connect-timeout-ms'
/** Doubled for the second. */
const retryDelayMs = 20

/**
 * Sends each call to one of the replicas. A call that could not be sent goes to the next one, until
 * all were tried. A call that was sent and lost is sent again only when nobody has begun with it, or
 * when it may be done twice. What a handler answers is an answer, whatever its code.
 */
export function createBalancedClient(
  replicas: Replicas,
  { name, baseUrl, methods, retriesMax }: BalancedOptions,
): UniversalClientFn {
  const unavailable = (cause: unknown) => {
    const message = `${name} does not answer: ${cause instanceof Error ? cause.message : cause}`
    return new ConnectError(message, Code.Unavailable, undefined, undefined, cause)
  }
  return async (request) => {
    const path = request.url.slice(baseUrl.length)
    const method = methods.get(path)
    const body = keptBody(request, method)
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
    body: KeptBody | undefined,
  ) {
    const { signal } = request
    const begun = performance.now()
    const unreachable = new Set<Replica>()
    const lossy = new Set<Replica>()
    let retries = 0
    let cause: unknown
    for (;;) {
      const resolved = replicas.ready()?.catch((error) => {
        throw unavailable(error)
      })
      if (resolved) await (signal ? untilAborted(resolved, signal) : resolved)
      const replica = replicas.pick(unreachable, lossy)
      if (!replica) throw unavailable(cause)
      try {
        const header = timed(request.header, begun)
        return await replica.send(path, { ...request, header, ...(body && { body: body.open() }) })
      } catch (error) {
        if (!(error instanceof Unreachable || error instanceof Lost)) throw error
        replicas.suspect()
        cause = error
        if (error instanceof Unreachable) {
          unreachable.add(replica)
          continue
        }
        lossy.add(replica)
        const mayRepeat = body?.isKept && (error.isRefused || isIdempotent(method))
        if (!mayRepeat || ++retries > retriesMax) throw unavailable(error)
      }
      const delayMs = retryDelayMs * 2 ** (retries - 1) * (0.5 + Math.random())
      await (signal ? untilAborted(sleep(delayMs), signal) : sleep(delayMs))
    }
  }
}

const isIdempotent = (method: DescMethod | undefined) =>
  method !== undefined && method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN

/** Never more of an upload than this is held for it to be sent again, in bytes. */
const uploadKeptMax = 2 ** 20

function keptBody({ body }: UniversalClientRequest, method: DescMethod | undefined) {
  if (!body) return undefined
  const isWhole = method?.methodKind === 'unary' || method?.methodKind === 'server_streaming'
  return new KeptBody(body, isWhole ? Number.POSITIVE_INFINITY : uploadKeptMax)
}

/** With what is left of the time of the call. */
function timed(header: Headers, begun: number): Headers {
  const timeoutMs = header.get(timeoutHeader)
  const elapsedMs = Math.floor(performance.now() - begun)
  if (!timeoutMs || elapsedMs === 0) return header
  const left = new Headers(header)
  left.set(timeoutHeader, String(Math.max(1, Number(timeoutMs) - elapsedMs)))
  return left
}
