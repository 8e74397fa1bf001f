import type { DescMethod } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { currentScope } from './scope.js'
import type { Attributes, Span, Tracing } from './span.js'

/** W3C Trace Context. */
export const traceparentHeader = 'traceparent'

/** What a server has done wrong, and not its caller. */
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

/** A call that the current operation makes, if it is traced; its `traceparent` is then sent along. */
export const beginCall = (method: DescMethod): Span | undefined =>
  currentScope()?.span?.child(nameOf(method), 'client', attributesOf(method))

/**
 * A call that is answered. What a peer sends continues its trace, or is in none; a caller from outside
 * begins one, whatever it sends.
 */
export function beginAnswer(
  tracing: Tracing | undefined,
  method: DescMethod,
  header: Headers,
  isPeer: boolean,
): Span | undefined {
  const traceparent = isPeer ? header.get(traceparentHeader) : undefined
  if (traceparent === null) return undefined
  return tracing?.begin(nameOf(method), 'server', attributesOf(method), traceparent)
}
