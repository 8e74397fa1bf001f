import { parseDatabaseUrl } from '@figbase/kit/db'
import { type DatabaseOf, missingMigrations, schemasOf } from '@figbase/kit/migrations'
import pg from 'pg'
import { services } from '../all-in-one.js'
import { type Finding, ok, problem, warning } from './finding.js'

export type DatabaseOptions = {
  /** Connection settings for a service. */
  of: DatabaseOf
  timeoutMs: number
  env: NodeJS.ProcessEnv
  /** Connections of each service for requests (DATABASE_CONNECTIONS_MAX). */
  connectionsMax: number
  migratesAtStart: boolean
}

const versionMin = 150_000
/** Other connections of a service: jobs, events, health, bus. */
const otherConnections = 2 + 3 + 2 + 4
const clockDifferenceMsMax = 5000

type Facts = {
  version: number
  version_text: string
  encoding: string
  connections_max: number
  /** Whether the schemas exist or the role may create them. */
  has_schemas: boolean
  has_icu: boolean
  is_standby: boolean
  /** Clock of the server. */
  now_ms: number
}

const facts = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as version_text,
         current_setting('server_encoding') as encoding,
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int as connections_max,
         has_database_privilege(current_database(), 'CREATE')
           or not exists (select from unnest($1::text[]) name where to_regnamespace(name) is null)
             as has_schemas,
         exists (select from pg_collation where collname = 'und-x-icu') as has_icu,
         pg_is_in_recovery() as is_standby,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`

export async function checkDatabase(options: DatabaseOptions): Promise<Finding[]> {
  const { of, timeoutMs } = options
  const { url, directUrl } = await of()
  const client = new pg.Client({
    ...parseDatabaseUrl(directUrl ?? url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const asked = Date.now()
    const { rows } = await client.query<Facts>(facts, [services.map(({ name }) => name)])
    const answered = Date.now()
    const [found] = rows
    if (!found) throw new Error('the server returned no row')
    const differenceMs = found.now_ms - (asked + answered) / 2
    return [...problemsOf(found, options), ...clock(differenceMs), ...(await schemas(options))]
  } finally {
    await client.end().catch(() => {})
  }
}

function problemsOf(found: Facts, { connectionsMax }: DatabaseOptions): Finding[] {
  const name = 'DATABASE_URL'
  const findings: Finding[] = []
  const check = (isProblem: boolean, text: string, remedy: string) => {
    if (isProblem) findings.push(problem(name, text, remedy))
  }
  check(
    found.version < versionMin,
    `PostgreSQL ${found.version_text} is too old`,
    'Use PostgreSQL 15 or newer.',
  )
  check(
    found.encoding !== 'UTF8',
    `the encoding of the database is ${found.encoding}`,
    `Create the database with: create database … encoding 'UTF8' template template0`,
  )
  check(
    !found.has_icu,
    'the server was built without ICU',
    'Use a build with ICU, such as the Debian packages.',
  )
  check(found.is_standby, 'the server is a read-only standby', 'Use the address of the primary.')
  check(
    !found.has_schemas && !found.is_standby,
    'schemas are missing, and the role may not create them',
    'grant create on database … to …, or run the SQL that figbase-server database-roles prints',
  )
  const needed = services.length * (connectionsMax + otherConnections)
  if (needed > found.connections_max) {
    findings.push(
      warning(
        name,
        `the server allows ${found.connections_max} connections, and one process of each service may open ${needed}`,
        'Raise max_connections, or lower DATABASE_CONNECTIONS_MAX.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(name, `PostgreSQL ${found.version_text} answers`)]
}

function clock(differenceMs: number): Finding[] {
  if (Math.abs(differenceMs) <= clockDifferenceMsMax) {
    return [ok('clock', 'is in sync with the database')]
  }
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  return [
    warning(
      'clock',
      `is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the database`,
      'Synchronize both machines with NTP: tokens and leases depend on the time.',
    ),
  ]
}

async function schemas({ of, env, migratesAtStart }: DatabaseOptions): Promise<Finding[]> {
  const missing = await missingMigrations(of, schemasOf(services, env))
  if (missing.length === 0) return [ok('schemas', 'are up to date')]
  const text = `the database schema is not up to date: ${missing.length} migrations are missing, first ${missing[0]}`
  return migratesAtStart
    ? [warning('schemas', text, 'Run figbase-server migrate, or start Figbase: both migrate it.')]
    : [problem('schemas', text, 'Run figbase-server migrate.')]
}
