import { migrate } from '../db/migrate.js'
import { createPool } from '../db/pool.js'
import { bypassPooler, type Database } from '../db/resolve-database.js'
import type { Logger } from '../log.js'
import { requireMigrated } from '../migrations/migrate-all.js'
import { migrationListsOf } from '../migrations/service-migrations.js'
import type { Service } from './service.js'

/** Migrates the schema of a service, or fails if a migration is pending (`MIGRATE_AT_START=false`). */
export async function prepareSchema(
  service: Service,
  database: Database,
  migrateAtStart: boolean,
  log: Logger,
): Promise<void> {
  const { name } = service
  const migrations = migrationListsOf(service).flat()
  const pool = createPool({ ...bypassPooler(database), schema: name, connectionsMax: 2, log })
  try {
    if (migrateAtStart) await migrate(pool, name, migrations)
    else await requireMigrated(pool, { name, migrations })
  } finally {
    await pool.end()
  }
}
