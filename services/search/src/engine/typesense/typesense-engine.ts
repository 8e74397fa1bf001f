import type { SearchEngine } from '../port.js'
import { type Connection, createConnection } from './connection.js'
import { findDocuments } from './find.js'
import {
  collectionName,
  createCollection,
  dropCollection,
  liveName,
  publishCollection,
} from './generations.js'
import type { TypesenseSettings } from './settings.js'
import { placeDocuments, removeDocuments, writeDocuments } from './write.js'

/** Changes with the fields and words of a collection. */
const version = '1'

/** Finds words with a Typesense server: one collection for each generation, and an alias for the live one. */
export function createTypesenseEngine(settings: TypesenseSettings): SearchEngine {
  const connection = createConnection(settings)
  const nameOf = (generation: number) => collectionName(settings.collectionPrefix, generation)
  const live = liveName(settings.collectionPrefix)
  return {
    name: 'typesense',
    version,
    find: (query, filter, page) => findDocuments(connection, live, query, filter, page),
    create: (generation) => createCollection(connection, nameOf(generation)),
    write: (generation, documents) => writeDocuments(connection, nameOf(generation), documents),
    place: (generation, objects) => placeDocuments(connection, nameOf(generation), objects),
    remove: (generation, ids) => removeDocuments(connection, nameOf(generation), ids),
    publish: (generation) => publishCollection(connection, live, nameOf(generation)),
    drop: (generation) => dropCollection(connection, live, nameOf(generation)),
    check: (signal) => check(connection, signal),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Reads the aliases, which needs a valid API key. */
async function check(connection: Connection, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  await Promise.race([connection.search((client) => client.aliases().retrieve()), aborted])
}
