import { spawn } from 'node:child_process'
import { Failure } from './failure.js'

/** The port of the service and of its operations endpoint (`OPERATIONS_PORT`). */
export type Ports = { port: number; operationsPort?: number }

/** One process of the distributed topology. */
export type Child = {
  /** Resolves when the process serves; rejects when it ends before. */
  ready: Promise<Ports>
  /** Resolves when it ends unexpectedly. */
  died: Promise<Failure>
  /** Requests a graceful stop, and waits for the exit. */
  stop(): Promise<void>
  kill(): void
  /** Undefined when it could not be started. */
  pid: number | undefined
}

/**
 * `detached` takes the child out of the process group of the terminal: Ctrl-C reaches only the launcher, which stops the
 * children in order. When the launcher is killed, the channel closes and the child stops by itself.
 */
export function startChild(name: string, file: string, env: NodeJS.ProcessEnv): Child {
  const process_ = spawn(process.execPath, ['--enable-source-maps', file], {
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let stopping = false
  const ended = new Promise<string>((resolve) => {
    process_.once('error', (error) => resolve(error.message))
    process_.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const failure = (how: string) =>
    new Failure(`the ${name} process ended unexpectedly (${how})`, 'See its output above.')
  const ready = new Promise<Ports>((resolve, reject) => {
    process_.on('message', (message) => {
      if (isReady(message)) resolve(message)
    })
    ended.then((how) => reject(failure(how)))
  })
  // Avoids an unhandled rejection when nothing awaits `ready` during a stop.
  ready.catch(() => {})
  return {
    ready,
    died: new Promise((resolve) => {
      ended.then((how) => stopping || resolve(failure(how)))
    }),
    async stop() {
      stopping = true
      process_.kill('SIGTERM')
      await ended
    },
    kill() {
      stopping = true
      process_.kill('SIGKILL')
    },
    pid: process_.pid,
  }
}

function isReady(message: unknown): message is { type: 'ready' } & Ports {
  if (typeof message !== 'object' || message === null) return false
  return 'type' in message && message.type === 'ready' && 'port' in message
}
