import type { ObjectStore } from '../objects/port.js'
import { errorTypeOf } from '../scope/error-type.js'
import { currentScope, traced } from '../scope/scope.js'
import type { Span } from '../scope/span.js'

const attributes = { 'figbase.store': 'objects' }

/** Wraps a store so that calls become spans of the current trace, without object keys. */
export const tracedStore = (store: ObjectStore): ObjectStore => ({
  ...store,
  put: (key, bytes) => traced('put object', 'client', attributes, () => store.put(key, bytes)),
  delete: (keys) => traced('delete objects', 'client', attributes, () => store.delete(keys)),
  get(key, range) {
    const span = currentScope()?.span?.child('get object', 'client', attributes)
    const bytes = store.get(key, range)
    return span ? endingWith(span, bytes) : bytes
  },
})

async function* endingWith(span: Span, bytes: AsyncIterable<Uint8Array>) {
  let error: string | undefined
  try {
    yield* bytes
  } catch (cause) {
    error = errorTypeOf(cause)
    throw cause
  } finally {
    span.end(error)
  }
}
