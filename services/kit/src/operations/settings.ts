import type { EnvReader } from '../config/config.js'

/** Settings of the operations endpoint, for operators and monitoring. */
export const readOperationsSettings = (env: EnvReader) => ({
  host: env.text('OPERATIONS_HOST', '127.0.0.1', 'listen address of the operations endpoint'),
  port: env.optionalPort(
    'OPERATIONS_PORT',
    'port of the operations endpoint (`/metrics`, `/livez`, `/readyz`) of a process, for operators only; 0: any free port; empty: disabled (with `--distributed`: chosen for each process)',
  ),
  timeoutMs: env.duration(
    'OPERATIONS_TIMEOUT',
    '2s',
    'how long the operations endpoint waits for the database and for services; metrics that take longer are omitted, and checks fail',
  ),
})

/** Settings of every serving process. */
export const readStopSettings = (env: EnvReader) => ({
  shutdownDelayMs: env.duration(
    'SHUTDOWN_DELAY',
    '0s',
    'time between a stop signal and the shutdown, in which `/readyz` fails and the gateway closes connections after their response; should exceed the health check interval and the idle timeout of a load balancer',
  ),
})

export const readShutdownTimeout = (env: EnvReader): number =>
  env.duration('SHUTDOWN_TIMEOUT', '30s', 'how long a shutdown waits for requests in progress')

export type OperationsSettings = Readonly<ReturnType<typeof readOperationsSettings>>
