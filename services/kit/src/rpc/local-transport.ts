import type { DescMessage } from '@bufbuild/protobuf'
import {
  create,
  type DescMethod,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createContextValues,
  createHandlerContext,
  createServiceImplSpec,
  type Interceptor,
  type MethodImplSpec,
  type StreamRequest,
  type Transport,
} from '@connectrpc/connect'
import { runStreamingCall, transformInvokeImplementation } from '@connectrpc/connect/protocol'
import { callLocally, type UnaryImpl } from './local-unary.js'
import { untilAborted } from './until-aborted.js'

/** Maximum message size in bytes: a chunk of content or a page of a list must fit. */
export const messageBytesMax = 8 * 2 ** 20

export type LocalServer = {
  routes: (router: ConnectRouter) => unknown
  interceptors: Interceptor[]
}

export type LocalOptions = {
  interceptors: Interceptor[]
  /** Serialize messages as on the wire, with its errors. */
  isolate: boolean
}

/**
 * A transport to services in the same process. Messages are passed by reference, so handlers and callers must not
 * modify them.
 */
export function createLocalTransport(servers: LocalServer[], options: LocalOptions): Transport {
  const methods = new Map<DescMethod, { spec: MethodImplSpec; interceptors: Interceptor[] }>()
  for (const server of servers) {
    for (const spec of methodsOf(server.routes)) {
      methods.set(spec.method, { spec, interceptors: server.interceptors })
    }
  }
  const find = (method: DescMethod) => {
    const found = methods.get(method)
    if (!found)
      throw new ConnectError(`unknown service ${method.parent.typeName}`, Code.Unimplemented)
    return found
  }
  const copy = <D extends DescMessage>(desc: D, message: MessageShape<D>): MessageShape<D> =>
    options.isolate ? roundTrip(desc, message) : message

  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const { spec, interceptors } = find(method)
      if (spec.kind !== 'unary') throw new ConnectError('not a unary method', Code.Internal)
      return callLocally({
        method,
        impl: spec.impl as unknown as UnaryImpl<typeof method.input, typeof method.output>,
        url: urlOf(method),
        header: new Headers(header),
        contextValues: contextValues ?? createContextValues(),
        message: create(method.input, input),
        signal,
        timeoutMs,
        clientInterceptors: options.interceptors,
        serverInterceptors: interceptors,
        copyInput: (message) => copy(method.input, message),
        copyOutput: (message) => copy(method.output, message),
      })
    },

    stream: (method, signal, timeoutMs, header, input, contextValues) =>
      runStreamingCall({
        interceptors: options.interceptors,
        ...(signal && { signal }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        req: {
          ...requestFor(method, header, contextValues),
          stream: true as const,
          message: input,
        },
        next: async (req) => {
          const { spec, interceptors } = find(method)
          const context = contextFor(req, timeoutMs)
          const output = transformInvokeImplementation(
            spec,
            context,
            interceptors,
          )(copies(req.message, (message) => copy(method.input, message)))
          const replies = copies(output, (message) =>
            copy(method.output, message as MessageShape<typeof method.output>),
          )
          return {
            stream: true as const,
            service: method.parent,
            method,
            header: context.responseHeader,
            trailer: context.responseTrailer,
            message: endingWith(replies, req.signal, () => context.abort()),
          }
        },
      }),
  }
}

function methodsOf(routes: LocalServer['routes']): MethodImplSpec[] {
  const found: MethodImplSpec[] = []
  const router = {
    handlers: [],
    service(...[service, implementation]: Parameters<ConnectRouter['service']>) {
      found.push(...Object.values(createServiceImplSpec(service, implementation).methods))
      return router
    },
    rpc() {
      throw new Error('register whole services, not single methods')
    },
  }
  routes(router as unknown as ConnectRouter)
  return found
}

const urlOf = (method: DescMethod) => `local:///${method.parent.typeName}/${method.name}`

function requestFor<M extends DescMethod>(
  method: M,
  header: ConstructorParameters<typeof Headers>[0],
  contextValues = createContextValues(),
) {
  return {
    service: method.parent,
    method,
    requestMethod: 'POST',
    url: urlOf(method),
    header: new Headers(header),
    contextValues,
  }
}

function contextFor(req: StreamRequest, timeoutMs: number | undefined) {
  return createHandlerContext({
    service: req.service,
    method: req.method,
    protocolName: 'local',
    requestMethod: req.requestMethod,
    url: req.url,
    requestSignal: req.signal,
    requestHeader: req.header,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

async function* copies<T, R>(messages: AsyncIterable<T>, copy: (message: T) => R) {
  for await (const message of messages) yield copy(message)
}

/** Ends the messages with the call, also if the handler ignores its deadline. */
async function* endingWith<T>(messages: AsyncIterable<T>, signal: AbortSignal, end: () => void) {
  const source = messages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await untilAborted(source.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    end()
  }
}

/** Serializes and parses a message; throws if it cannot be serialized or is too large. */
function roundTrip<D extends DescMessage>(desc: D, message: MessageShape<D>): MessageShape<D> {
  let bytes: Uint8Array
  try {
    bytes = toBinary(desc, message)
  } catch (error) {
    throw ConnectError.from(error, Code.Internal)
  }
  if (bytes.length > messageBytesMax) {
    const text = `message size ${bytes.length} is larger than ${messageBytesMax}`
    throw new ConnectError(text, Code.ResourceExhausted)
  }
  return fromBinary(desc, bytes)
}
