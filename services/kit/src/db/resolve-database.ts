import pg from 'pg'
import { ConfigError, type EnvReader } from '../config/config.js'
import { parseDatabaseUrl } from './parse-url.js'

/** Database URLs as configured; `{service}` in them stands for the service's name. */
export type DatabaseUrls = { databaseUrl: string; databaseDirectUrl: string }

/** The resolved database of one service. */
export type Database = {
  url: string
  /** `url` is a pooler in transaction mode: each transaction may run in another session. */
  isPooled: boolean
  /** URL of PostgreSQL itself, for sessions; undefined: only the pooler is available. */
  directUrl: string | undefined
  /** None for migrations and commands, which may take long. */
  limits?: DatabaseLimits
}

/** Timeouts after which an unresponsive server's connection is closed. */
export type DatabaseLimits = { connectTimeoutMs: number; queryTimeoutMs: number }

export const readDatabaseLimits = (env: EnvReader): DatabaseLimits => ({
  connectTimeoutMs: env.duration(
    'DATABASE_CONNECT_TIMEOUT',
    '10s',
    'timeout for connecting to the database or waiting for a pooled connection',
  ),
  queryTimeoutMs: env.duration(
    'DATABASE_QUERY_TIMEOUT',
    '60s',
    'timeout of a statement of a running service; its connection is then closed',
  ),
})

/** Empty: the built-in PostgreSQL. */
export const readDatabaseUrl = (env: EnvReader): string =>
  readAddress(
    env,
    'DATABASE_URL',
    'URL of a PostgreSQL database to use instead of the built-in one, as `postgres://…`; `{service}` stands for the name of the service, for one role or server per service',
  )

export const readDatabaseDirectUrl = (env: EnvReader): string =>
  readAddress(
    env,
    'DATABASE_DIRECT_URL',
    'URL of the same database that bypasses the pooler (PgBouncer), if DATABASE_URL is one',
  )

function readAddress(env: EnvReader, name: string, about: string): string {
  const url = env.text(name, '', about)
  const problem = url && problemOf(forService(url, 'identity'))
  // The value may contain a password.
  if (problem) env.problems.push(`${name} is not valid: ${problem}`)
  return url
}

function problemOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must begin with postgres://'
  try {
    parseDatabaseUrl(url)
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
 * Connects to detect a pooler and to check what a service needs. Throws a ConfigError that names the
 * setting.
 */
export async function resolveDatabase(
  urls: DatabaseUrls,
  service: string,
  timeoutMs = timeoutMsDefault,
): Promise<Database> {
  const url = forService(urls.databaseUrl, service)
  const found = await inspect('DATABASE_URL', url, timeoutMs)
  if (found.isPooled) requireRoleSettings(found, service)
  if (!urls.databaseDirectUrl) {
    return { url, isPooled: found.isPooled, directUrl: found.isPooled ? undefined : url }
  }
  const directUrl = forService(urls.databaseDirectUrl, service)
  const direct = await inspect('DATABASE_DIRECT_URL', directUrl, timeoutMs)
  if (direct.isPooled) {
    throw new ConfigError('DATABASE_DIRECT_URL: must not be the URL of a pooler')
  }
  if (direct.database !== found.database) {
    throw new ConfigError('DATABASE_DIRECT_URL: not the same database as DATABASE_URL')
  }
  return { url, isPooled: found.isPooled, directUrl }
}

/** The direct URL if available: for work that is long, or runs once. */
export const bypassPooler = ({
  url,
  directUrl,
}: Pick<Database, 'url' | 'directUrl'>): { url: string; isPooled: boolean } => ({
  url: directUrl ?? url,
  isPooled: directUrl === undefined,
})

type ServerInfo = {
  isPooled: boolean
  version: number
  role: string
  searchPath: string
  timezone: string
  jit: string
  /** Identifies the database, whatever URL it was reached by. */
  database: string
}

async function inspect(setting: string, url: string, timeoutMs: number): Promise<ServerInfo> {
  try {
    return await inspectServer(url, timeoutMs)
  } catch (cause) {
    if (cause instanceof ConfigError)
      throw new ConfigError(`${setting}: ${cause.message}`, { cause })
    throw new ConfigError(`${setting}: database unavailable: ${reasonOf(cause)}`, { cause })
  }
}

async function inspectServer(url: string, timeoutMs: number): Promise<ServerInfo> {
  const client = new pg.Client({
    ...parseDatabaseUrl(url),
    application_name: 'figbase start',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Omit<ServerInfo, 'isPooled'> & { pid: number }>(
      `select pg_backend_pid() as pid, current_user as role,
              current_setting('server_version_num')::int / 10000 as version,
              current_setting('search_path') as "searchPath",
              current_setting('TimeZone') as timezone, current_setting('jit') as jit,
              (select oid from pg_database where datname = current_database())
                || ' ' || pg_postmaster_start_time() as database`,
    )
    const [row] = rows
    if (!row) throw new Error('no response')
    if (row.version < oldestVersion) {
      throw new ConfigError(
        `PostgreSQL must be version ${oldestVersion} or newer, not ${row.version}`,
      )
    }
    // A pooler does not know which backend will serve a connection and announces a made-up process id.
    const announcedPid = 'processID' in client ? client.processID : undefined
    return { ...row, isPooled: announcedPid !== row.pid }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Behind a pooler, session settings must come from the role. */
function requireRoleSettings(
  { role, searchPath, timezone, jit }: ServerInfo,
  service: string,
): void {
  const [first = ''] = searchPath.split(',')
  const hasPath = first.trim().replaceAll('"', '') === service
  // With JIT compilation, a statement of a millisecond takes a second.
  if (hasPath && utc.includes(timezone) && jit === 'off') return
  throw new ConfigError(
    `DATABASE_URL: the database is behind a pooler, so its role ${role} must have search_path ${service}, TimeZone UTC and jit off, not ${searchPath}, ${timezone} and ${jit}; run figbase-server database-roles for the statements that create the roles`,
  )
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : error.name
  return error.message || code
}
