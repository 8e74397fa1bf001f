import type { DescMethod } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { currentScope } from '../scope/scope.js'
import type { Attributes, Span, Tracing } from '../scope/span.js'

/** W3C Trace Context. */
export const traceparentHeader = 'traceparent'

/** Codes of server errors. */
const faults = new Set(
  [
    Code.Unknown,
    Code.DeadlineExceeded,
    Code.Unimplemented,
    Code.Internal,
    Code.Unavailable,
    Code.DataLoss,
  ].map((code) => Code[code]),
)

export const isFault = (code: string): boolean => faults.has(code)

const nameOf = ({ parent, name }: DescMethod) => `${parent.typeName}/${name}`

const attributesOf = ({ parent, name }: DescMethod): Attributes => ({
  'rpc.system': 'connect_rpc',
  'rpc.service': parent.typeName,
  'rpc.method': name,
})

/** Begins the span of an outgoing call; undefined if the current operation is not traced. */
export const beginClientSpan = (method: DescMethod): Span | undefined =>
  currentScope()?.span?.child(nameOf(method), 'client', attributesOf(method))

/**
 * Begins the span of an incoming call. The call of a peer continues its trace, if any; the call of a client begins a
 * new one, whatever header it sends.
 */
export function beginServerSpan(
  tracing: Tracing | undefined,
  method: DescMethod,
  header: Headers,
  isPeer: boolean,
): Span | undefined {
  const traceparent = isPeer ? header.get(traceparentHeader) : undefined
  if (traceparent === null) return undefined
  return tracing?.begin(nameOf(method), 'server', attributesOf(method), traceparent)
}
