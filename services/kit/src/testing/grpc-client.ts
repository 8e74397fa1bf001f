import { fileURLToPath } from 'node:url'
import {
  type CallOptions,
  type ClientReadableStream,
  type ClientWritableStream,
  credentials,
  Client as GrpcJsClient,
  Metadata,
  type MethodDefinition,
  type ServiceError,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

export const protosDir = fileURLToPath(new URL('../../../../../proto/', import.meta.url))

export type GrpcCallOptions = CallOptions & { metadata?: Record<string, string> }

// proto-loader generates no types.
export type GrpcMessage = Record<string, unknown>

/** An external gRPC client: `@grpc/grpc-js` with the .proto files. */
export type GrpcClient = Disposable & {
  unary(method: string, request: object, options?: GrpcCallOptions): Promise<GrpcMessage>
  clientStream(
    method: string,
    requests: Iterable<object> | AsyncIterable<object>,
    options?: GrpcCallOptions,
  ): Promise<GrpcMessage>
  serverStream(
    method: string,
    request: object,
    options?: GrpcCallOptions,
  ): ClientReadableStream<GrpcMessage>
  /** Bidirectional stream: sends all requests, then reads the replies. */
  exchange(method: string, requests: object[], options?: GrpcCallOptions): Promise<GrpcMessage[]>
}

/** `service` is the full name; `file` is relative to `proto/`; `token` is sent as `Authorization: Bearer`. */
export function createGrpcClient(
  port: number,
  file: string,
  service: string,
  token?: string,
): GrpcClient {
  const options = { includeDirs: [protosDir], defaults: true, longs: String, oneofs: true }
  const loaded = loadSync(file, options)[service]
  const methods = loaded as Record<string, MethodDefinition<object, GrpcMessage>>
  const client = new GrpcJsClient(`127.0.0.1:${port}`, credentials.createInsecure())

  const partsOf = (method: string, { metadata = {}, ...options }: GrpcCallOptions) => {
    const found = methods[method]
    if (!found) throw new Error(`unknown method ${service}/${method}`)
    const sent = new Metadata()
    if (token !== undefined) sent.set('authorization', `Bearer ${token}`)
    for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
    const { path, requestSerialize, responseDeserialize } = found
    return { path, write: requestSerialize, read: responseDeserialize, sent, options }
  }

  return {
    unary(method, request, callOptions = {}) {
      const { path, write, read, sent, options } = partsOf(method, callOptions)
      return new Promise((resolve, reject) => {
        const done = callback(resolve, reject)
        client.makeUnaryRequest(path, write, read, request, sent, options, done)
      })
    },
    clientStream(method, requests, callOptions = {}) {
      const { path, write, read, sent, options } = partsOf(method, callOptions)
      return new Promise((resolve, reject) => {
        const done = callback(resolve, reject)
        const call = client.makeClientStreamRequest(path, write, read, sent, options, done)
        void send(call, requests)
      })
    },
    serverStream(method, request, callOptions = {}) {
      const { path, write, read, sent, options } = partsOf(method, callOptions)
      return client.makeServerStreamRequest(path, write, read, request, sent, options)
    },
    async exchange(method, requests, callOptions = {}) {
      const { path, write, read, sent, options } = partsOf(method, callOptions)
      const call = client.makeBidiStreamRequest(path, write, read, sent, options)
      for (const request of requests) call.write(request)
      call.end()
      const replies: GrpcMessage[] = []
      for await (const reply of call) replies.push(reply)
      return replies
    },
    [Symbol.dispose]: () => client.close(),
  }
}

const callback =
  (resolve: (reply: GrpcMessage) => void, reject: (error: ServiceError) => void) =>
  (error: ServiceError | null, reply?: GrpcMessage) =>
    error ? reject(error) : resolve(reply ?? {})

/** Sends requests with backpressure; an early response ends it. */
async function send(
  call: ClientWritableStream<object>,
  requests: Iterable<object> | AsyncIterable<object>,
) {
  for await (const request of requests) {
    if (call.destroyed || call.writableEnded) return
    if (!call.write(request)) await new Promise((resume) => call.once('drain', resume))
  }
  call.end()
}
