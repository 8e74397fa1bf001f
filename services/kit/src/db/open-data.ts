import type { Pool } from 'pg'
import { type EnvReader, readSettings } from '../config.js'
import { createFailPoint } from '../fail-points.js'
import { enqueueJob } from '../jobs/queue.js'
import { createLogger } from '../log.js'
import type { Kit } from '../service.js'
import { readLogLevel } from '../settings.js'
import type { Migration } from './migrate.js'
import { createDb, createPool } from './pool.js'
import { type Database, pastPooler } from './reach.js'
import { transact, write } from './transact.js'

/** The rows of a service for a command, which works beside it or without it. */
export type OpenData<DB> = AsyncDisposable &
  Pick<Kit<DB>, 'db' | 'database' | 'transact' | 'write' | 'enqueue' | 'log'>

/** The schema of the database is not that of this version. */
export class SchemaBehind extends Error {
  override name = 'SchemaBehind'
}

/** Throws SchemaBehind when the service has not been started there with these migrations yet. */
export async function openData<DB>(
  service: string,
  migrations: Migration[],
  database: Database,
  env: Record<string, string | undefined>,
): Promise<OpenData<DB>> {
  const log = createLogger(service, readSettings(env, readLevel).level)
  const failPoint = createFailPoint(service, env.FAIL_AT ?? '')
  const pool = createPool({ ...pastPooler(database), schema: service, connectionsMax: 3, log })
  const applied = await appliedIn(pool).catch(async (error) => {
    await pool.end()
    throw error
  })
  if (!migrations.every(({ name }) => applied.has(name))) {
    await pool.end()
    throw new SchemaBehind(`the schema ${service} was not brought to this version yet`)
  }
  const db = createDb<DB>(pool)
  return {
    db,
    database,
    transact: (work) => transact(db, work, failPoint),
    write: (run) => write(db, run, failPoint),
    // Whoever runs jobs looks for new ones each second.
    enqueue: enqueueJob,
    log,
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

/** The names of the migrations that the first schema of the search path has. */
export async function appliedIn(pool: Pool): Promise<Set<string>> {
  const { rows: found } = await pool.query<{ is_there: boolean }>(
    `select to_regclass('migration') is not null as is_there`,
  )
  if (!found[0]?.is_there) return new Set()
  const { rows } = await pool.query<{ name: string }>('select name from migration')
  return new Set(rows.map(({ name }) => name))
}

const readLevel = (reader: EnvReader) => ({ level: readLogLevel(reader) })
