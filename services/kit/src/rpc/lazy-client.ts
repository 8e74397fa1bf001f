import type { DescService } from '@bufbuild/protobuf'
import { type CallOptions, type Client, createClient, type Transport } from '@connectrpc/connect'

/** Creates a client that looks up its transport with the first call, because peers may be registered later. */
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
  return abortingOnReturn(service, client)
}

type ServerStream = (input: unknown, options?: CallOptions) => AsyncIterable<unknown>

/**
 * Aborts the call when a loop over its stream is left. Connect does not, and the handler would keep its resources
 * until its deadline.
 */
function abortingOnReturn<S extends DescService>(service: S, client: Client<S>): Client<S> {
  const calls = client as Record<string, ServerStream>
  for (const { methodKind, localName } of service.methods) {
    const open = calls[localName]
    if (methodKind !== 'server_streaming' || !open) continue
    calls[localName] = (input, options) => {
      const aborting = new AbortController()
      const { signal: given } = options ?? {}
      const signal = given ? AbortSignal.any([given, aborting.signal]) : aborting.signal
      const messages = open(input, { ...options, signal })[Symbol.asyncIterator]()
      const onReturn = () => {
        aborting.abort()
        return Promise.resolve({ done: true as const, value: undefined })
      }
      return { [Symbol.asyncIterator]: () => ({ next: () => messages.next(), return: onReturn }) }
    }
  }
  return client
}
