import type { EnvReader } from '../config/config.js'
import {
  readDatabaseDirectUrl,
  readDatabaseLimits,
  readDatabaseUrl,
} from '../db/resolve-database.js'
import { readEventSettings } from '../events/settings.js'
import { readKeys } from '../keys/keys.js'
import { readLimitSettings } from '../limits/settings.js'
import { readMailSettings } from '../mail/settings.js'
import { readS3Settings } from '../objects/settings.js'
import { readShutdownTimeout } from '../operations/settings.js'
import { type CallSettings, readCallSettings } from '../rpc/call-settings.js'
import { peerSettingOf } from '../rpc/peer-name.js'
import { readRpcTls } from '../rpc/tls.js'
import { readKeyRetention } from './keyed.js'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const readLogLevel = (env: EnvReader) =>
  env.oneOf('LOG_LEVEL', logLevels, 'info', 'log level')

/** How long startup and `doctor` wait for each server. */
export const readServerCheckTimeout = (env: EnvReader): number =>
  env.duration(
    'SERVER_CHECK_TIMEOUT',
    '10s',
    'timeout for each configured server to respond when a process starts',
  )

/** For processes without a built-in PostgreSQL. */
function readRequiredDatabaseUrl(env: EnvReader): string {
  const url = readDatabaseUrl(env)
  if (!url)
    env.problems.push('DATABASE_URL is required: the URL of a PostgreSQL database (postgres://…)')
  return url
}

/** Settings that every process reads, whichever service it runs. */
export const readRuntimeSettings = (env: EnvReader) => ({
  databaseUrl: readRequiredDatabaseUrl(env),
  databaseDirectUrl: readDatabaseDirectUrl(env),
  keys: readKeys(env),
  databaseConnectionsMax: env.int(
    'DATABASE_CONNECTIONS_MAX',
    10,
    'maximum number of PostgreSQL connections per service',
  ),
  databaseLimits: readDatabaseLimits(env),
  jobConcurrency: env.int('JOB_CONCURRENCY', 2, 'background jobs that a service runs concurrently'),
  jobLeaseMs: env.duration(
    'JOB_LEASE',
    '5s',
    'how long a process may miss heartbeats before other processes take over its jobs',
  ),
  deadJobRetentionMs: env.duration(
    'DEAD_JOB_RETENTION',
    '30d',
    'how long dead jobs (those that failed permanently) are kept',
  ),
  keyRetentionMs: readKeyRetention(env),
  events: readEventSettings(env),
  mail: readMailSettings(env),
  limits: readLimitSettings(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
  migrateAtStart: env.bool(
    'MIGRATE_AT_START',
    true,
    'whether startup runs pending migrations; with `false` it fails unless `figbase-server migrate` has run them',
  ),
  logLevel: readLogLevel(env),
  failAt: env.text(
    'FAIL_AT',
    '',
    'crash tests only: the fail point at which the process is killed',
  ),
})

/** Read by catalog (workspace settings name it) and by revisions (stores there). */
export const readDefaultVendor = (env: EnvReader) =>
  env.text(
    'FIGBASE_DEFAULT_VENDOR',
    'GoFigr.io',
    "name of the installation's own storage, as `storage/` returns it",
  )

const peers = [
  'identity',
  'catalog',
  'revisions',
  'comments',
  'compute',
  'search',
  'stories-ai',
  'tasks',
] as const

export type PeerName = (typeof peers)[number]

/**
 * Addresses of the services if each runs in its own process. Each setting may list several replicas
 * and host names that resolve to several addresses.
 */
export function readPeerSettings(env: EnvReader): {
  urls: Record<string, string[]>
  calls: CallSettings
} {
  const calls = readCallSettings(env)
  const urls: Record<string, string[]> = {}
  for (const name of peers) {
    const setting = peerSettingOf(name)
    const own = env.urls(
      setting,
      `URL of the ${name} service; comma-separated for several replicas`,
    )
    if (calls.tls && own?.some((url) => url.startsWith('http:'))) {
      env.problems.push(
        `${setting}: every URL must begin with https:// if RPC_TLS_CERT_FILE is set`,
      )
    }
    urls[name] = own
  }
  return { urls, calls }
}

/** The RPC server, for peers in other processes and for gRPC clients. */
export const readRpcSettings = (env: EnvReader) => ({
  rpcHost: env.text('RPC_HOST', '127.0.0.1', 'listen address of the gRPC server'),
  rpcPort: env.optionalPort(
    'RPC_PORT',
    'port of the gRPC server; 0: any free port; empty: disabled (with `--distributed`: chosen for each service)',
  ),
  reflection: env.bool(
    'GRPC_REFLECTION',
    false,
    'whether unauthenticated gRPC server reflection is enabled; for development',
  ),
  shutdownTimeoutMs: readShutdownTimeout(env),
  tls: readRpcTls(env),
})

export const readProcessSettings = (env: EnvReader) => ({
  ...readRpcSettings(env),
  objectsDir: env.text('OBJECTS_DIR', '', 'directory of the objects, if they are not on S3'),
  s3: readS3Settings(env),
})
