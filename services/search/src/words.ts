// For the benchmarks, which measure the engine without the service around it.
export { migrations } from './db/migrations/index.js'
export type { Database } from './db/schema.js'
export { createEmbeddedEngine } from './engine/embedded/embedded-engine.js'
export type { Filter, IndexedDocument, SearchEngine } from './engine/port.js'
export { upsertPlaces } from './queries/places.js'
export { parseQuery } from './text/parse-query.js'
