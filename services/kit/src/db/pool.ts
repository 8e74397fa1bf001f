import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.js'
import { parseDatabaseUrl } from './parse-url.js'
import { setPool } from './pool-of.js'
import type { DatabaseLimits } from './resolve-database.js'
import { toKyselyConnection } from './statement.js'

export type PoolOptions = {
  url: string
  schema: string
  connectionsMax: number
  log: Logger
  /** Part of the application name: `figbase <schema> <purpose>`. */
  purpose?: 'jobs' | 'events' | 'probes'
  /**
   * The connection goes through a pooler: session settings come from the role, and prepared statements
   * are not named.
   */
  isPooled?: boolean
  /**
   * Prepared statements are planned once and prefer indexes: for tables that may grow from empty to
   * large within moments.
   */
  lastingPlans?: true
  limits?: DatabaseLimits
}

const int8 = 20
const timestamptz = 1184

const planOnce = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/**
 * A connection pool with one schema as its search path. `bigint` columns are read as BigInt, `timestamptz`
 * as text, because a JavaScript `Date` would lose the microseconds.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { url, schema, connectionsMax, log, purpose, isPooled, lastingPlans, limits } = options
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (oid === int8) return (text: string) => BigInt(text)
      if (oid === timestamptz) return (text: string) => text
      return pg.types.getTypeParser(oid, format as 'text')
    }) as typeof pg.types.getTypeParser,
  }
  const pool = new pg.Pool({
    ...parseDatabaseUrl(url),
    max: connectionsMax,
    idleTimeoutMillis: 30_000,
    application_name: ['figbase', schema, purpose].filter(Boolean).join(' '),
    // Bounded lists have high estimates but run briefly: compiling them takes longer than running them.
    ...(!isPooled && {
      options: `-c search_path=${schema} -c timezone=UTC -c jit=off${lastingPlans ? planOnce : ''}`,
    }),
    types,
    ...(limits && {
      connectionTimeoutMillis: limits.connectTimeoutMs,
      query_timeout: limits.queryTimeoutMs,
      // Also cancels on the server, so that abandoned statements do not accumulate there.
      ...(!isPooled && { statement_timeout: limits.queryTimeoutMs }),
    }),
  })
  // Without error listeners, a connection closed by PostgreSQL would end the process.
  const onConnectionLost = ({ message }: Error) => {
    if (!pool.ending) log.warn({ reason: message }, 'database connection lost')
  }
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', onConnectionLost)
    if (isPooled) disableNaming(client)
  })
  return pool
}

/** Kysely on a pool; statements made with `statement` are planned once per connection. */
export function createDb<DB>(pool: pg.Pool): Kysely<DB> {
  const connect = async () => toKyselyConnection(await pool.connect())
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  })
  setPool(db, pool)
  return db
}

/** Behind a pooler, a statement prepared by one session is unknown to the next. */
function disableNaming(client: pg.PoolClient): void {
  const { query } = client
  const unnamed = (config: unknown, ...rest: unknown[]) => {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    const nameless = isNamed ? { ...config, name: undefined } : config
    return Reflect.apply(query, client, [nameless, ...rest])
  }
  client.query = unnamed as typeof query
}
