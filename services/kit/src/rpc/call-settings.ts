import { EnvReader } from '../config/config.js'
import { type RpcTls, readRpcTls } from './tls.js'

/** Settings of calls between processes; times in milliseconds. */
export type CallSettings = {
  timeoutMs: number
  connectTimeoutMs: number
  pingIntervalMs: number
  pingTimeoutMs: number
  resolveIntervalMs: number
  retriesMax: number
  failuresMax: number
  backoffMinMs: number
  backoffMaxMs: number
  tls?: RpcTls | undefined
}

export const readCallSettings = (env: EnvReader): CallSettings => ({
  timeoutMs: env.duration(
    'RPC_TIMEOUT',
    '60s',
    'timeout of a call between processes if its caller has no deadline; not for streams',
  ),
  connectTimeoutMs: env.duration(
    'RPC_CONNECT_TIMEOUT',
    '2s',
    'timeout for connecting to another process',
  ),
  pingIntervalMs: env.duration(
    'RPC_PING_INTERVAL',
    '3s',
    'interval of the pings on connections to other processes',
  ),
  pingTimeoutMs: env.duration(
    'RPC_PING_TIMEOUT',
    '5s',
    'time without a response to a ping after which a connection is closed',
  ),
  resolveIntervalMs: env.duration(
    'RPC_RESOLVE_INTERVAL',
    '10s',
    'interval of DNS lookups of the services',
  ),
  retriesMax: env.int(
    'RPC_RETRIES_MAX',
    2,
    'maximum retries of a call that got no response, if a retry is safe',
  ),
  failuresMax: env.positiveInt(
    'RPC_REPLICA_FAILURES_MAX',
    3,
    'consecutive connection failures after which a replica is ejected for a while',
  ),
  backoffMinMs: env.duration(
    'RPC_REPLICA_BACKOFF_MIN',
    '500ms',
    'first duration of an ejection; doubled each time',
  ),
  backoffMaxMs: env.duration('RPC_REPLICA_BACKOFF_MAX', '30s', 'maximum duration of an ejection'),
  tls: readRpcTls(env),
})

export const defaultCallSettings: CallSettings = readCallSettings(new EnvReader({}))
