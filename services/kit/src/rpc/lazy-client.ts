import type { DescService } from '@bufbuild/protobuf'
import { type CallOptions, type Client, createClient, type Transport } from '@connectrpc/connect'

/** The transport is looked up at the first call: neighbours may be registered later. */
export function lazyClient<S extends DescService>(
  service: S,
  transportTo: (service: DescService) => Transport,
): Client<S> {
  let transport: Transport | undefined
  const get = () => {
    transport ??= transportTo(service)
    return transport
  }
  const client = createClient(service, {
    unary: (...args) => get().unary(...args),
    stream: (...args) => get().stream(...args),
  })
  return endingAtBreak(service, client)
}

type ServerStream = (input: unknown, options?: CallOptions) => AsyncIterable<unknown>

/**
 * Connect's streams do not notice that a loop over them was left, and the handler would hold what
 * it opened until its deadline. Ours abort the call.
 */
function endingAtBreak<S extends DescService>(service: S, client: Client<S>): Client<S> {
  const calls = client as Record<string, ServerStream>
  for (const { methodKind, localName } of service.methods) {
    const open = calls[localName]
    if (methodKind !== 'server_streaming' || !open) continue
    calls[localName] = (input, options) => {
      const left = new AbortController()
      const { signal: given } = options ?? {}
      const signal = given ? AbortSignal.any([given, left.signal]) : left.signal
      const messages = open(input, { ...options, signal })[Symbol.asyncIterator]()
      const leave = () => {
        left.abort()
        return Promise.resolve({ done: true as const, value: undefined })
      }
      return { [Symbol.asyncIterator]: () => ({ next: () => messages.next(), return: leave }) }
    }
  }
  return client
}
