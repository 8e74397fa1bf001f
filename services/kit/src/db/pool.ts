import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.js'
import { connectionOf } from './connection.js'
import type { DatabaseLimits } from './reach.js'
import { preparing } from './statement.js'

export type PoolOptions = {
  url: string
  schema: string
  connectionsMax: number
  log: Logger
  /** What its connections are for, as PostgreSQL shows them: `figbase <schema> <purpose>`. */
  purpose?: 'jobs' | 'events' | 'probes'
  /**
   * There is a pooler between: nothing is said of the session, which has all by its role, and no
   * statement gets a name.
   */
  isPooled?: boolean
  /**
   * Prepared statements are planned once, with an index wherever one fits: for tables that are empty
   * now and large a moment later.
   */
  lastingPlans?: true
  limits?: DatabaseLimits
}

const int8 = 20
const timestamptz = 1184

const planOnce = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/**
 * A pool whose sessions see one schema. `bigint` columns are read as BigInt, `timestamptz` as text
 * with microseconds (a JavaScript `Date` would lose them).
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
    ...connectionOf(url),
    max: connectionsMax,
    idleTimeoutMillis: 30_000,
    application_name: ['figbase', schema, purpose].filter(Boolean).join(' '),
    // The bounded lists have high estimates and short runs: compiling them takes longer than running.
    ...(!isPooled && {
      options: `-c search_path=${schema} -c timezone=UTC -c jit=off${lastingPlans ? planOnce : ''}`,
    }),
    types,
    ...(limits && {
      connectionTimeoutMillis: limits.connectTimeoutMs,
      query_timeout: limits.queryTimeoutMs,
      // The server gives up, too: what nobody waits for any more does not pile up there.
      ...(!isPooled && { statement_timeout: limits.queryTimeoutMs }),
    }),
  })
  // Without listeners, a connection that PostgreSQL closes ends the process: idle or in use.
  const lost = ({ message }: Error) => {
    if (!pool.ending) log.warn({ reason: message }, 'a database connection was lost')
  }
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', lost)
    if (isPooled) nameNothing(client)
  })
  return pool
}

/** Kysely on a pool; those of `statement` are planned once a connection. */
export function createDb<DB>(pool: pg.Pool): Kysely<DB> {
  const connect = async () => preparing(await pool.connect())
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  })
}

/** What one session has prepared under a name, another one would not know. */
function nameNothing(client: pg.PoolClient): void {
  const { query } = client
  const unnamed = (config: unknown, ...rest: unknown[]) => {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    const nameless = isNamed ? { ...config, name: undefined } : config
    return Reflect.apply(query, client, [nameless, ...rest])
  }
  client.query = unnamed as typeof query
}
