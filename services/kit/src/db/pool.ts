import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.js'
import { preparing } from './statement.js'

export type PoolOptions = {
  url: string
  schema: string
  connectionsMax: number
  log: Logger
  /**
   * Prepared statements are planned once, with an index wherever one fits: for tables that are empty
   * now and large a moment later.
   */
  lastingPlans?: true
  /** How long connecting, and each query, may take. */
  timeoutMs?: number
}

const int8 = 20
const timestamptz = 1184

const planOnce = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/**
 * A pool whose sessions see one schema. `bigint` columns are read as BigInt, `timestamptz` as text
 * with microseconds (a JavaScript `Date` would lose them).
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { url, schema, connectionsMax, log, lastingPlans, timeoutMs } = options
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
    // The bounded lists have high estimates and short runs: compiling them takes longer than running.
    options: `-c search_path=${schema} -c timezone=UTC -c jit=off${lastingPlans ? planOnce : ''}`,
    types,
    ...(timeoutMs && {
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      // The server gives up, too: what nobody waits for any more does not pile up there.
      statement_timeout: timeoutMs,
    }),
  })
  // Without listeners, a connection that PostgreSQL closes ends the process: idle or in use.
  const lost = ({ message }: Error) => {
    if (!pool.ending) log.warn({ reason: message }, 'a database connection was lost')
  }
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}

/** Kysely on a pool; those of `statement` are planned once a connection. */
export function createDb<DB>(pool: pg.Pool): Kysely<DB> {
  const connect = async () => preparing(await pool.connect())
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  })
}
