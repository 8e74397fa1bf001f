import type { DescMethod } from '@bufbuild/protobuf'
import { createContextValues, createHandlerContext, type HandlerContext } from '@connectrpc/connect'
import type { Principal } from '@figbase/proto/common'
import { principalKey } from './principal.js'

/**
 * Calls a handler of the same service on behalf of `subject`, for a job that does what an RPC does. The signal ends the
 * call.
 */
export async function withOwnCall<T>(
  method: DescMethod,
  subject: Principal,
  signal: AbortSignal,
  handle: (call: HandlerContext) => Promise<T>,
): Promise<T> {
  const call = createHandlerContext({
    service: method.parent,
    method,
    protocolName: 'own',
    requestMethod: 'POST',
    url: `own:///${method.parent.typeName}/${method.name}`,
    requestSignal: signal,
    contextValues: createContextValues().set(principalKey, subject),
  })
  try {
    return await handle(call)
  } finally {
    // It would listen to the signal until that ends.
    call.abort()
  }
}
