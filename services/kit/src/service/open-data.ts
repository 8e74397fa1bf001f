import { type EnvReader, readSettings } from '../config/config.js'
import type { Migration } from '../db/migrate.js'
import { createDb, createPool } from '../db/pool.js'
import { bypassPooler, type Database } from '../db/resolve-database.js'
import { transact, write } from '../db/transact.js'
import { createFailPoint } from '../faults/fail-points.js'
import { enqueueJob } from '../jobs/queue.js'
import { createLogger } from '../log.js'
import { appliedIn } from '../migrations/applied.js'
import { readLogLevel } from '../settings/runtime.js'
import type { Kit } from './service.js'

/** Access to a service's data for a command; the service may be running or not. */
export type OpenData<DB> = AsyncDisposable &
  Pick<Kit<DB>, 'db' | 'database' | 'transact' | 'write' | 'enqueue' | 'log'>

/** The schema of the database is older than this version. */
export class SchemaOutdated extends Error {
  override name = 'SchemaOutdated'
}

/** Throws SchemaOutdated unless all migrations are applied. */
export async function openData<DB>(
  service: string,
  migrations: Migration[],
  database: Database,
  env: Record<string, string | undefined>,
): Promise<OpenData<DB>> {
  const log = createLogger(service, readSettings(env, readLevel).level)
  const failPoint = createFailPoint(service, env.FAIL_AT ?? '')
  const pool = createPool({ ...bypassPooler(database), schema: service, connectionsMax: 3, log })
  const applied = await appliedIn(pool).catch(async (error) => {
    await pool.end()
    throw error
  })
  if (!migrations.every(({ name }) => applied.has(name))) {
    await pool.end()
    throw new SchemaOutdated(`schema ${service} is not migrated to this version`)
  }
  const db = createDb<DB>(pool)
  return {
    db,
    database,
    transact: (work) => transact(db, work, failPoint),
    write: (run) => write(db, run, failPoint),
    // No wake signal: the job workers poll every second.
    enqueue: enqueueJob,
    log,
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

const readLevel = (reader: EnvReader) => ({ level: readLogLevel(reader) })
