import { connectionOf, type DatabaseOf, missingMigrations, schemasOf } from '@figbase/kit'
import pg from 'pg'
import { services } from '../all-in-one.js'
import { type Finding, ok, problem, warning } from './finding.js'

export type DatabaseOptions = {
  /** How a service reaches it. */
  of: DatabaseOf
  timeoutMs: number
  env: NodeJS.ProcessEnv
  /** What each service opens for requests (DATABASE_CONNECTIONS_MAX). */
  connectionsMax: number
  migratesAtStart: boolean
}

const versionMin = 150_000
/** Of a service besides those for requests: jobs, events, health; and of the bus. */
const connectionsBesides = 2 + 3 + 2 + 4
const clockDifferenceMsMax = 5000

type Facts = {
  version: number
  version_text: string
  encoding: string
  connections_max: number
  /** They are there, or its role may make them. */
  has_schemas: boolean
  has_icu: boolean
  is_standby: boolean
  /** When the server read its clock. */
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
    ...connectionOf(directUrl ?? url),
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
    if (!found) throw new Error('the server says nothing of itself')
    const differenceMs = found.now_ms - (asked + answered) / 2
    return [...problemsOf(found, options), ...clock(differenceMs), ...(await schemas(options))]
  } finally {
    await client.end().catch(() => {})
  }
}

function problemsOf(found: Facts, { connectionsMax }: DatabaseOptions): Finding[] {
  const name = 'DATABASE_URL'
  const findings: Finding[] = []
  const bad = (isBad: boolean, text: string, remedy: string) => {
    if (isBad) findings.push(problem(name, text, remedy))
  }
  bad(found.version < versionMin, `it is PostgreSQL ${found.version_text}`, 'Use 15 or newer.')
  bad(
    found.encoding !== 'UTF8',
    `its encoding is ${found.encoding}`,
    `Make a database with: create database … encoding 'UTF8' template template0`,
  )
  bad(!found.has_icu, 'it was built without ICU', 'Use one that has it, as those of Debian have.')
  bad(found.is_standby, 'it is a standby, which is only read', 'Name the primary.')
  bad(
    !found.has_schemas && !found.is_standby,
    'schemas are missing, and its role may not make them',
    'grant create on database … to …, or make them with what the command database-roles prints',
  )
  const wanted = services.length * (connectionsMax + connectionsBesides)
  if (wanted > found.connections_max) {
    findings.push(
      warning(
        name,
        `it takes ${found.connections_max} connections, and one of each service may open ${wanted}`,
        'Raise its max_connections, or lower DATABASE_CONNECTIONS_MAX.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(name, `PostgreSQL ${found.version_text} answers`)]
}

function clock(differenceMs: number): Finding[] {
  if (Math.abs(differenceMs) <= clockDifferenceMsMax) {
    return [ok('clock', 'is that of the database')]
  }
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  return [
    warning(
      'clock',
      `is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} that of the database`,
      'Have both machines keep time by NTP: tokens and leases go by it.',
    ),
  ]
}

async function schemas({ of, env, migratesAtStart }: DatabaseOptions): Promise<Finding[]> {
  const missing = await missingMigrations(of, schemasOf(services, env))
  if (missing.length === 0) return [ok('schemas', 'are of this version')]
  const text = `the database lacks ${missing.length} migrations, first ${missing[0]}`
  return migratesAtStart
    ? [warning('schemas', text, 'Run the command migrate, or start Figbase, which does it.')]
    : [problem('schemas', text, 'Run the command migrate.')]
}
