import { createFileSystemStore } from '@figbase/kit/objects'
import { compose, defineService, type Kit } from '@figbase/kit/service'
import {
  createEmbeddedEngine,
  type Database,
  type IndexedDocument,
  migrations,
  type SearchEngine,
  upsertPlaces,
} from '@figbase/search/words'

export type SearchDatabase = AsyncDisposable & {
  engine: SearchEngine
  db: Kit<Database>['db']
  /** Adds documents to a generation, and their places. */
  write(generation: number, documents: IndexedDocument[]): Promise<void>
}

/** The embedded engine on an empty database, with the tables and the connections that the service has. */
export async function openSearchDatabase(databaseUrl: string): Promise<SearchDatabase> {
  let kit: Kit<Database> | undefined
  const service = defineService<object, Database, object>({
    name: 'search',
    config: () => ({}),
    migrations,
    context: (given) => {
      kit = given
      return {}
    },
    routes: () => () => {},
  })
  const composed = await compose([service], {
    env: {
      DATABASE_URL: databaseUrl,
      FIGBASE_SECRET_KEY: 'a secret of the benchmark',
      LOG_LEVEL: 'warn',
    },
    objects: createFileSystemStore(''),
    isolate: false,
  })
  if (!kit) throw new Error('the service has no context')
  const { db } = kit
  const engine = createEmbeddedEngine(db)
  return {
    engine,
    db,
    async write(generation, documents) {
      await upsertPlaces(db, documents)
      await engine.write(generation, documents)
    },
    [Symbol.asyncDispose]: () => composed[Symbol.asyncDispose](),
  }
}
