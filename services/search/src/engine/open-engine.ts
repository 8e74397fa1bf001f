import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.js'
import { createEmbeddedEngine } from './embedded/embedded-engine.js'
import type { SearchEngine, VectorModel } from './port.js'
import type { TypesenseSettings } from './typesense/settings.js'
import { createTypesenseEngine } from './typesense/typesense-engine.js'

/** Typesense if its URL is set, otherwise the engine in the database. */
export const openEngine = (
  db: Kysely<Database>,
  typesense: TypesenseSettings,
  readModel: () => Promise<VectorModel | undefined>,
): SearchEngine =>
  typesense.url ? createTypesenseEngine(typesense, readModel) : createEmbeddedEngine(db)
