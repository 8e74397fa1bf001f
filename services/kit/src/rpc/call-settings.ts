import { EnvReader } from '../config.js'
import { type RpcTls, readRpcTls } from './tls.js'

/** How calls between processes are made; times in milliseconds. */
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
    'how long a call between processes may take when its caller has no deadline; not for streams',
  ),
  connectTimeoutMs: env.duration(
    'RPC_CONNECT_TIMEOUT',
    '2s',
    'how long a connection to another process may take to open',
  ),
  pingIntervalMs: env.duration(
    'RPC_PING_INTERVAL',
    '3s',
    'how often a process asks whether the others that it is connected to are there',
  ),
  pingTimeoutMs: env.duration(
    'RPC_PING_TIMEOUT',
    '5s',
    'how long it waits for that before it gives the connection up',
  ),
  resolveIntervalMs: env.duration(
    'RPC_RESOLVE_INTERVAL',
    '10s',
    'how often the addresses of the host name of a service are looked up',
  ),
  retriesMax: env.int(
    'RPC_RETRIES_MAX',
    2,
    'how often a call that was lost on its way is sent again, when that is harmless',
  ),
  failuresMax: env.positiveInt(
    'RPC_REPLICA_FAILURES_MAX',
    3,
    'connections in a row that fail before a replica is left out for a while',
  ),
  backoffMinMs: env.duration(
    'RPC_REPLICA_BACKOFF_MIN',
    '500ms',
    'how long it is left out first; doubled each time',
  ),
  backoffMaxMs: env.duration('RPC_REPLICA_BACKOFF_MAX', '30s', 'how long at most'),
  tls: readRpcTls(env),
})

export const defaultCallSettings: CallSettings = readCallSettings(new EnvReader({}))
