import pg from 'pg'
import { ConfigError, type EnvReader } from '../config.js'
import { connectionOf } from './connection.js'

/** The addresses of the database as the settings have them; `{service}` in them is a service's name. */
export type DatabaseUrls = { databaseUrl: string; databaseDirectUrl: string }

/** How one service reaches the database. */
export type Database = {
  url: string
  /** `url` leads to a pooler: from one transaction to the next the session may be another. */
  isPooled: boolean
  /** Where a session is one; undefined: there is only the pooler. */
  directUrl: string | undefined
  /** None for what takes its time: migrations and commands. */
  limits?: DatabaseLimits
}

/** A server that is silent is given up after these, with the connection to it. */
export type DatabaseLimits = { connectTimeoutMs: number; queryTimeoutMs: number }

export const readDatabaseLimits = (env: EnvReader): DatabaseLimits => ({
  connectTimeoutMs: env.duration(
    'DATABASE_CONNECT_TIMEOUT',
    '10s',
    'how long connecting to the database, or waiting for one of the connections to it, may take',
  ),
  queryTimeoutMs: env.duration(
    'DATABASE_QUERY_TIMEOUT',
    '60s',
    'how long a statement of a running service may take; then its connection is given up',
  ),
})

/** Empty: the PostgreSQL that Figbase brings. */
export const readDatabaseUrl = (env: EnvReader): string =>
  readAddress(
    env,
    'DATABASE_URL',
    'a PostgreSQL to use instead of the built-in one, as `postgres://…`; `{service}` in it is the name of each service, where each has a role of its own',
  )

export const readDatabaseDirectUrl = (env: EnvReader): string =>
  readAddress(
    env,
    'DATABASE_DIRECT_URL',
    'the same database past a pooler (PgBouncer), where DATABASE_URL leads to one',
  )

function readAddress(env: EnvReader, name: string, about: string): string {
  const url = env.text(name, '', about)
  const problem = url && problemOf(forService(url, 'identity'))
  // The value may hold a password.
  if (problem) env.problems.push(`${name} is not valid: ${problem}`)
  return url
}

function problemOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'it begins with postgres://'
  try {
    connectionOf(url)
    return ''
  } catch (error) {
    return reasonOf(error)
  }
}

const forService = (url: string, service: string) =>
  url.replace(/\{service\}|%7Bservice%7D/gi, service)

const oldestVersion = 15
const timeoutMsDefault = 10_000
const utc = ['UTC', 'Etc/UTC']

/**
 * Finds out whether there is a pooler between, and whether all is as a service needs it. Throws a
 * ConfigError that names the setting.
 */
export async function reachDatabase(
  urls: DatabaseUrls,
  service: string,
  timeoutMs = timeoutMsDefault,
): Promise<Database> {
  const url = forService(urls.databaseUrl, service)
  const found = await look('DATABASE_URL', url, timeoutMs)
  if (found.isPooled) refuseRole(found, service)
  if (!urls.databaseDirectUrl) {
    return { url, isPooled: found.isPooled, directUrl: found.isPooled ? undefined : url }
  }
  const directUrl = forService(urls.databaseDirectUrl, service)
  const direct = await look('DATABASE_DIRECT_URL', directUrl, timeoutMs)
  if (direct.isPooled) {
    throw new ConfigError('DATABASE_DIRECT_URL: it leads to a pooler, not to PostgreSQL itself')
  }
  if (direct.database !== found.database) {
    throw new ConfigError('DATABASE_DIRECT_URL: it is another database than that of DATABASE_URL')
  }
  return { url, isPooled: found.isPooled, directUrl }
}

/** Where a session is one, if there is such a place: for what takes long, or happens once. */
export const pastPooler = ({
  url,
  directUrl,
}: Pick<Database, 'url' | 'directUrl'>): { url: string; isPooled: boolean } => ({
  url: directUrl ?? url,
  isPooled: directUrl === undefined,
})

type Found = {
  isPooled: boolean
  version: number
  role: string
  searchPath: string
  timezone: string
  jit: string
  /** The same for two addresses of one database. */
  database: string
}

async function look(setting: string, url: string, timeoutMs: number): Promise<Found> {
  try {
    return await lookAt(url, timeoutMs)
  } catch (cause) {
    if (cause instanceof ConfigError)
      throw new ConfigError(`${setting}: ${cause.message}`, { cause })
    throw new ConfigError(`${setting}: the database cannot be used: ${reasonOf(cause)}`, { cause })
  }
}

async function lookAt(url: string, timeoutMs: number): Promise<Found> {
  const client = new pg.Client({
    ...connectionOf(url),
    application_name: 'figbase start',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Omit<Found, 'isPooled'> & { pid: number }>(
      `select pg_backend_pid() as pid, current_user as role,
              current_setting('server_version_num')::int / 10000 as version,
              current_setting('search_path') as "searchPath",
              current_setting('TimeZone') as timezone, current_setting('jit') as jit,
              (select oid from pg_database where datname = current_database())
                || ' ' || pg_postmaster_start_time() as database`,
    )
    const [row] = rows
    if (!row) throw new Error('it does not answer')
    if (row.version < oldestVersion) {
      throw new ConfigError(`PostgreSQL must be ${oldestVersion} or newer, and is ${row.version}`)
    }
    // A pooler cannot tell whose process will serve a connection, and makes a number up.
    const toldPid = 'processID' in client ? client.processID : undefined
    return { ...row, isPooled: toldPid !== row.pid }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Behind a pooler nothing can be set for a session: the role must bring it. */
function refuseRole({ role, searchPath, timezone, jit }: Found, service: string): void {
  const [first = ''] = searchPath.split(',')
  const hasPath = first.trim().replaceAll('"', '') === service
  // Compiled, a statement that takes a millisecond takes a second.
  if (hasPath && utc.includes(timezone) && jit === 'off') return
  throw new ConfigError(
    `DATABASE_URL: it leads to a pooler, and its role ${role} has search_path ${searchPath}, TimeZone ${timezone} and jit ${jit} in place of ${service}, UTC and off; the command database-roles tells how to make roles for the services`,
  )
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : error.name
  return error.message || code
}
