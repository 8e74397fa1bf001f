import type { Pool } from 'pg'
import { ConfigError, readSettings } from '../config.js'
import { busMigrations, busSchema } from '../events/bus/postgres-schema.js'
import { readEventSettings } from '../events/settings.js'
import { createLogger } from '../log.js'
import type { Service } from '../service.js'
import { type Migration, migrate } from './migrate.js'
import { appliedIn } from './open-data.js'
import { createPool } from './pool.js'
import { type Database, pastPooler } from './reach.js'
import { migrationListsOf } from './service-migrations.js'

/** A schema of the database, and all that makes it what this version needs. */
export type Schema = { name: string; migrations: Migration[] }

/** How a service reaches the database; without a name, for what is of none. */
export type DatabaseOf = (service?: string) => Promise<Database>

/** Those of the services, and that of the bus where the settings have PostgreSQL carry the events. */
export function schemasOf(services: Service[], env: Record<string, string | undefined>): Schema[] {
  const { natsUrl } = readSettings(env, readEventSettings)
  const own = services.map((service) => ({
    name: service.name,
    migrations: migrationListsOf(service).flat(),
  }))
  return natsUrl ? own : [...own, { name: busSchema, migrations: busMigrations }]
}

/** What the database lacks, as `<schema> <migration>`, in the order in which it is applied. */
export function missingMigrations(databaseOf: DatabaseOf, schemas: Schema[]): Promise<string[]> {
  return each(databaseOf, schemas, async () => {})
}

/** Brings all schemas to this version, also beside processes that run; answers what was missing. */
export function migrateAll(databaseOf: DatabaseOf, schemas: Schema[]): Promise<string[]> {
  return each(databaseOf, schemas, (pool, { name, migrations }) => migrate(pool, name, migrations))
}

async function each(
  databaseOf: DatabaseOf,
  schemas: Schema[],
  work: (pool: Pool, schema: Schema) => Promise<void>,
): Promise<string[]> {
  const log = createLogger('migrate', 'silent')
  const missing: string[] = []
  for (const schema of schemas) {
    const database = await databaseOf(schema.name === busSchema ? undefined : schema.name)
    const of = { schema: schema.name, connectionsMax: 2, log }
    const pool = createPool({ ...pastPooler(database), ...of })
    try {
      missing.push(...(await missingIn(pool, schema)).map((name) => `${schema.name} ${name}`))
      await work(pool, schema)
    } finally {
      await pool.end()
    }
  }
  return missing
}

async function missingIn(pool: Pool, { migrations }: Schema): Promise<string[]> {
  const applied = await appliedIn(pool)
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

/** For a start that shall not migrate (`MIGRATE_AT_START`). */
export async function requireMigrated(pool: Pool, schema: Schema): Promise<void> {
  const [first] = await missingIn(pool, schema)
  if (first === undefined) return
  throw new ConfigError(
    `the database lacks ${schema.name} ${first}: run the command migrate (MIGRATE_AT_START=false leaves it to you)`,
  )
}
