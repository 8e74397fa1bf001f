import type { EnvReader } from '../config.js'

/** Where an operator, and what watches Figbase, look into a process. */
export const readOperationsSettings = (env: EnvReader) => ({
  host: env.text('OPERATIONS_HOST', '127.0.0.1', 'the address of the operations port'),
  port: env.optionalPort(
    'OPERATIONS_PORT',
    'where metrics, `/livez` and `/readyz` of a process are, for operators only; 0: the system chooses; empty: nowhere (with `--distributed`: chosen for each process)',
  ),
  timeoutMs: env.duration(
    'OPERATIONS_TIMEOUT',
    '2s',
    'how long an answer of that port waits for the database and for services; what takes longer is left out, or not ready',
  ),
})

/** Of every process that serves. */
export const readStopSettings = (env: EnvReader) => ({
  shutdownDelayMs: env.duration(
    'SHUTDOWN_DELAY',
    '0s',
    'how long a process that is told to stop goes on as before while `/readyz` says that it stops and each answer of the gateway ends its connection: longer than a load balancer takes to look, and keeps a connection that it does not use',
  ),
})

export const readShutdownTimeout = (env: EnvReader): number =>
  env.duration('SHUTDOWN_TIMEOUT', '30s', 'how long a stop waits for requests')

export type OperationsSettings = Readonly<ReturnType<typeof readOperationsSettings>>
