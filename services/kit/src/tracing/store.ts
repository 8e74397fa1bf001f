import type { ObjectStore } from '../ports/objects/port.js'
import { errorTypeOf } from './error-type.js'
import { currentScope, traced } from './scope.js'
import type { Span } from './span.js'

const attributes = { 'figbase.store': 'objects' }

/** Its calls are operations of the current trace; keys are not told. */
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
