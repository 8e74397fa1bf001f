import type { DescMethodUnary } from '@bufbuild/protobuf'
import { create, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect'

export type UnaryImpl<I extends DescMessage, O extends DescMessage> = Extract<
  MethodImplSpec<I, O>,
  { kind: 'unary' }
>['impl']

export type LocalUnary<I extends DescMessage, O extends DescMessage> = {
  method: DescMethodUnary<I, O>
  impl: UnaryImpl<I, O>
  url: string
  header: Headers
  contextValues: ContextValues
  message: MessageShape<I>
  signal: AbortSignal | undefined
  timeoutMs: number | undefined
  clientInterceptors: Interceptor[]
  serverInterceptors: Interceptor[]
  copyInput(message: MessageShape<I>): MessageShape<I>
  copyOutput(message: MessageShape<O>): MessageShape<O>
}

/**
 * Makes a unary call in memory. Signals and headers are created on demand, because they cost several times the rest of
 * the call.
 */
export async function callLocally<I extends DescMessage, O extends DescMessage>(
  call: LocalUnary<I, O>,
): Promise<UnaryResponse<I, O>> {
  const context = new LocalContext(call)
  const serve = intercepted<I, O>(call.serverInterceptors, async (req) => {
    const reply = await call.impl(req.message, context)
    return responseOf(call, context, create(call.method.output, reply))
  })
  const transfer = intercepted<I, O>(call.clientInterceptors, async (req) => {
    const message = call.copyInput(req.message)
    const work = () => serve(requestOf(call, context, message, context.values))
    const reply = await (call.signal || call.timeoutMs !== undefined
      ? untilDeadline(work, context, call.signal, call.timeoutMs)
      : work())
    return responseOf(call, context, call.copyOutput(reply.message))
  })
  try {
    return await transfer(requestOf(call, context, call.message, call.contextValues))
  } catch (error) {
    throw ConnectError.from(error)
  } finally {
    context.end(callEnded)
  }
}

const callEnded = new ConnectError('the call has ended', Code.Canceled)

type Handler<I extends DescMessage, O extends DescMessage> = (
  req: UnaryRequest<I, O>,
) => Promise<UnaryResponse<I, O>>

function intercepted<I extends DescMessage, O extends DescMessage>(
  interceptors: Interceptor[],
  handle: Handler<I, O>,
): Handler<I, O> {
  let next = handle as unknown as Parameters<Interceptor>[0]
  for (const interceptor of interceptors.toReversed()) next = interceptor(next)
  return next as unknown as Handler<I, O>
}

function requestOf<I extends DescMessage, O extends DescMessage>(
  { method, url, header }: LocalUnary<I, O>,
  context: LocalContext,
  message: MessageShape<I>,
  contextValues: ContextValues,
): UnaryRequest<I, O> {
  return {
    stream: false,
    service: method.parent,
    method,
    requestMethod: 'POST',
    url,
    header,
    contextValues,
    message,
    get signal() {
      return context.signal
    },
  }
}

function responseOf<I extends DescMessage, O extends DescMessage>(
  { method }: LocalUnary<I, O>,
  context: LocalContext,
  message: MessageShape<O>,
): UnaryResponse<I, O> {
  return {
    stream: false,
    service: method.parent,
    method,
    message,
    get header() {
      return context.responseHeader
    },
    get trailer() {
      return context.responseTrailer
    },
  }
}

class LocalContext implements HandlerContext {
  readonly protocolName = 'local'
  readonly requestMethod = 'POST'
  readonly values = createContextValues()
  readonly method: HandlerContext['method']
  readonly url: string
  readonly requestHeader: Headers
  readonly #deadlineMs: number | undefined
  #controller: AbortController | undefined
  #ended: ConnectError | undefined
  #responseHeader: Headers | undefined
  #responseTrailer: Headers | undefined

  constructor(call: {
    method: HandlerContext['method']
    url: string
    header: Headers
    timeoutMs: number | undefined
  }) {
    this.method = call.method
    this.url = call.url
    this.requestHeader = call.header
    if (call.timeoutMs !== undefined) this.#deadlineMs = performance.now() + call.timeoutMs
  }

  get service() {
    return this.method.parent
  }

  get signal() {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#ended) this.#controller.abort(this.#ended)
    }
    return this.#controller.signal
  }

  timeoutMs = () =>
    this.#deadlineMs === undefined ? undefined : this.#deadlineMs - performance.now()

  get responseHeader() {
    this.#responseHeader ??= new Headers()
    return this.#responseHeader
  }

  get responseTrailer() {
    this.#responseTrailer ??= new Headers()
    return this.#responseTrailer
  }

  /** Aborts the handler's signal; only the first reason is used. */
  end(reason: ConnectError) {
    if (this.#ended) return
    this.#ended = reason
    this.#controller?.abort(reason)
  }
}

/** Rejects at the deadline, also if the handler ignores its signal. */
function untilDeadline<T>(
  work: () => Promise<T>,
  context: LocalContext,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (error: ConnectError) => {
      settle()
      context.end(error)
      reject(error)
    }
    const onAbort = () => fail(ConnectError.from(signal?.reason, Code.Canceled))
    const onDeadline = () =>
      fail(new ConnectError('the operation timed out', Code.DeadlineExceeded))
    const timer = timeoutMs === undefined ? undefined : setTimeout(onDeadline, timeoutMs)
    if (signal?.aborted) onAbort()
    else if (timeoutMs !== undefined && timeoutMs <= 0) onDeadline()
    else {
      signal?.addEventListener('abort', onAbort)
      work().then(
        (value) => {
          settle()
          resolve(value)
        },
        (error) => {
          settle()
          reject(error)
        },
      )
    }
  })
}
