import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.js'

export type PoolOptions = {
  url: string
  schema: string
  connectionsMax: number
  log: Logger
}

const int8 = 20
const timestamptz = 1184

/**
 * A pool whose sessions see one schema. `bigint` columns are read as BigInt, `timestamptz` as text
 * with microseconds (a JavaScript `Date` would lose them).
 */
export function createPool({ url, schema, connectionsMax, log }: PoolOptions): pg.Pool {
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (oid === int8) return (text: string) => BigInt(text)
      if (oid === timestamptz) return (text: string) => text
      return pg.types.getTypeParser(oid, format as 'text')
    }) as typeof pg.types.getTypeParser,
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    idleTimeoutMillis: 30_000,
    application_name: `figbase ${schema}`,
    options: `-c search_path=${schema} -c timezone=UTC`,
    types,
  })
  // Without a listener, an idle connection that PostgreSQL closes ends the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  // The same for one that is lent out, between two queries: the next query reports the loss.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export function createDb<DB>(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
