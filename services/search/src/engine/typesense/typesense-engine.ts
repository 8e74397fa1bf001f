import type { SearchEngine, VectorModel } from '../port.js'
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
import { findNearest, vectorFieldOf } from './vectors.js'
import { placeDocuments, removeDocuments, writeDocuments } from './write.js'

/** Changes with the fields and words of a collection. */
const version = '3'

/**
 * Finds words and vectors with a Typesense server: one collection for each generation, and an alias for the live one.
 * `readModel`: what makes the vectors; undefined: nothing.
 */
export function createTypesenseEngine(
  settings: TypesenseSettings,
  readModel: () => Promise<VectorModel | undefined>,
): SearchEngine {
  const connection = createConnection(settings)
  const nameOf = (generation: number) => collectionName(settings.collectionPrefix, generation)
  const live = liveName(settings.collectionPrefix)
  return {
    name: 'typesense',
    async version() {
      const model = await readModel()
      return model ? `${version} ${vectorFieldOf(model)}` : version
    },
    server: { name: 'Typesense', isAvailable: () => isAvailable(connection) },
    find: (query, filter, page) => findDocuments(connection, live, query, filter, page),
    async nearest(vector, filter, k) {
      const model = await readModel()
      return model ? findNearest(connection, live, model, vector, filter, k) : []
    },
    create: async (generation) =>
      createCollection(connection, nameOf(generation), await readModel()),
    write: async (generation, documents) =>
      writeDocuments(connection, nameOf(generation), documents, await readModel()),
    place: (generation, objects) => placeDocuments(connection, nameOf(generation), objects),
    remove: (generation, ids) => removeDocuments(connection, nameOf(generation), ids),
    publish: (generation) => publishCollection(connection, live, nameOf(generation)),
    drop: (generation) => dropCollection(connection, live, nameOf(generation)),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Reads the aliases, which needs a valid API key. */
const isAvailable = (connection: Connection) =>
  connection
    .search((client) => client.aliases().retrieve())
    .then(
      () => true,
      () => false,
    )
