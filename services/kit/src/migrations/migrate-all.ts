import type { Pool } from 'pg'
import { ConfigError, readSettings } from '../config/config.js'
import { type Migration, migrate } from '../db/migrate.js'
import { createPool } from '../db/pool.js'
import { bypassPooler, type Database } from '../db/resolve-database.js'
import { busMigrations, busSchema } from '../events/bus/postgres-schema.js'
import { readEventSettings } from '../events/settings.js'
import { createLogger } from '../log.js'
import type { Service } from '../service/service.js'
import { appliedIn } from './applied.js'
import { migrationListsOf } from './service-migrations.js'

/** A schema of the database and all its migrations. */
export type Schema = { name: string; migrations: Migration[] }

/** Resolves the database of a service; without a name, that of the schemas which belong to no service. */
export type DatabaseOf = (service?: string) => Promise<Database>

/** The schemas of the services, and that of the event bus if it runs on PostgreSQL. */
export function schemasOf(services: Service[], env: Record<string, string | undefined>): Schema[] {
  const { natsUrl } = readSettings(env, readEventSettings)
  const own = services.map((service) => ({
    name: service.name,
    migrations: migrationListsOf(service).flat(),
  }))
  return natsUrl ? own : [...own, { name: busSchema, migrations: busMigrations }]
}

/** The pending migrations as `<schema> <migration>`, in the order of their application. */
export function missingMigrations(databaseOf: DatabaseOf, schemas: Schema[]): Promise<string[]> {
  return forEachSchema(databaseOf, schemas, async () => {})
}

/** Runs all pending migrations and returns them. Safe while other processes are running. */
export function migrateAll(databaseOf: DatabaseOf, schemas: Schema[]): Promise<string[]> {
  return forEachSchema(databaseOf, schemas, (pool, { name, migrations }) =>
    migrate(pool, name, migrations),
  )
}

async function forEachSchema(
  databaseOf: DatabaseOf,
  schemas: Schema[],
  work: (pool: Pool, schema: Schema) => Promise<void>,
): Promise<string[]> {
  const log = createLogger('migrate', 'silent')
  const missing: string[] = []
  for (const schema of schemas) {
    const database = await databaseOf(schema.name === busSchema ? undefined : schema.name)
    const of = { schema: schema.name, connectionsMax: 2, log }
    const pool = createPool({ ...bypassPooler(database), ...of })
    try {
      missing.push(...(await pendingIn(pool, schema)).map((name) => `${schema.name} ${name}`))
      await work(pool, schema)
    } finally {
      await pool.end()
    }
  }
  return missing
}

async function pendingIn(pool: Pool, { migrations }: Schema): Promise<string[]> {
  const applied = await appliedIn(pool)
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

/** Fails if a migration is pending; for `MIGRATE_AT_START=false`. */
export async function requireMigrated(pool: Pool, schema: Schema): Promise<void> {
  const [first] = await pendingIn(pool, schema)
  if (first === undefined) return
  throw new ConfigError(
    `migration ${schema.name} ${first} is pending: run figbase-server migrate (MIGRATE_AT_START is false)`,
  )
}
