import type { EnvReader } from './config.js'
import { readDatabaseDirectUrl, readDatabaseLimits, readDatabaseUrl } from './db/reach.js'
import { readEventSettings } from './events/settings.js'
import { readKeys } from './keys.js'
import { readMailSettings } from './mail/settings.js'
import { readShutdownTimeout } from './operations/settings.js'
import { readLimitSettings } from './ports/limits/settings.js'
import { readS3Settings } from './ports/objects/settings.js'
import { type CallSettings, readCallSettings } from './rpc/call-settings.js'
import { readRpcTls } from './rpc/tls.js'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const readLogLevel = (env: EnvReader) =>
  env.oneOf('LOG_LEVEL', logLevels, 'info', 'how much is logged')

/** What a start, and `doctor`, give each server. */
export const readServerCheckTimeout = (env: EnvReader): number =>
  env.duration(
    'SERVER_CHECK_TIMEOUT',
    '10s',
    'how long each server that a setting names may take to answer when a process starts',
  )

/** Of what does not bring a PostgreSQL. */
function readRequiredDatabaseUrl(env: EnvReader): string {
  const url = readDatabaseUrl(env)
  if (!url) env.problems.push('DATABASE_URL is required: a PostgreSQL, as postgres://…')
  return url
}

/** What every process of the product reads, whichever service it runs. */
export const readRuntimeSettings = (env: EnvReader) => ({
  databaseUrl: readRequiredDatabaseUrl(env),
  databaseDirectUrl: readDatabaseDirectUrl(env),
  keys: readKeys(env),
  databaseConnectionsMax: env.int(
    'DATABASE_CONNECTIONS_MAX',
    10,
    'connections to PostgreSQL that each service opens at most',
  ),
  databaseLimits: readDatabaseLimits(env),
  jobConcurrency: env.int('JOB_CONCURRENCY', 2, 'background jobs that a service runs at a time'),
  jobLeaseMs: env.duration(
    'JOB_LEASE',
    '5s',
    'how long a process may be silent before others take over its jobs',
  ),
  deadJobRetentionMs: env.duration(
    'DEAD_JOB_RETENTION',
    '30d',
    'how long jobs that failed for good are kept',
  ),
  events: readEventSettings(env),
  mail: readMailSettings(env),
  limits: readLimitSettings(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
  migrateAtStart: env.bool(
    'MIGRATE_AT_START',
    true,
    'whether a start brings the database to its version; `false`: it ends where that was not done by the command `migrate`',
  ),
  logLevel: readLogLevel(env),
  failAt: env.text('FAIL_AT', '', 'for crash tests: the point at which the process dies'),
})

/** Read by catalog, whose settings of workspaces name it, and by revisions, which stores there. */
export const readDefaultVendor = (env: EnvReader) =>
  env.text(
    'FIGBASE_DEFAULT_VENDOR',
    'GoFigr.io',
    "the name of the installation's own storage, as `storage/` shows it",
  )

const neighbours = ['identity', 'catalog', 'revisions', 'comments', 'tasks'] as const

export type NeighbourName = (typeof neighbours)[number]

/**
 * Where the services are when each runs in a process of its own. Each setting may name several
 * replicas, and host names that have several addresses.
 */
export function readNeighbourSettings(env: EnvReader): {
  urls: Record<string, string[]>
  calls: CallSettings
} {
  const calls = readCallSettings(env)
  const urls: Record<string, string[]> = {}
  for (const name of neighbours) {
    const setting = `${name.toUpperCase()}_URL`
    const own = env.urls(setting, `where ${name} answers; several, separated by commas: replicas`)
    if (calls.tls && own?.some((url) => url.startsWith('http:'))) {
      env.problems.push(`${setting}: with RPC_TLS_CERT_FILE every address begins with https://`)
    }
    urls[name] = own
  }
  return { urls, calls }
}

/** Where services answer each other, when apart, and gRPC callers. */
export const readRpcSettings = (env: EnvReader) => ({
  rpcHost: env.text('RPC_HOST', '127.0.0.1', 'the address on which gRPC callers reach Figbase'),
  rpcPort: env.optionalPort(
    'RPC_PORT',
    'its port; 0: the system chooses; empty: no gRPC (with `--distributed`: chosen for each service)',
  ),
  reflection: env.bool(
    'GRPC_REFLECTION',
    false,
    'whether gRPC callers may ask what is served, without credentials; for development',
  ),
  shutdownTimeoutMs: readShutdownTimeout(env),
  tls: readRpcTls(env),
})

export const readProcessSettings = (env: EnvReader) => ({
  ...readRpcSettings(env),
  objectsDir: env.text('OBJECTS_DIR', '', 'the folder of the objects, where they are not on S3'),
  s3: readS3Settings(env),
})
