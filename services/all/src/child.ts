import { spawn } from 'node:child_process'
import { Failure } from './failure.js'

/** Where a process serves, and where it is looked into (`OPERATIONS_PORT`). */
export type Ports = { port: number; operationsPort?: number }

/** One process of the distributed topology. */
export type Child = {
  /** The ports on which it serves; rejects when it ends before. */
  ready: Promise<Ports>
  /** Resolves when it ends though nobody stopped it. */
  died: Promise<Failure>
  /** Asks it to stop, and waits for its end. */
  stop(): Promise<void>
  kill(): void
  /** Undefined when it could not be started. */
  pid: number | undefined
}

/**
 * `detached` takes the child out of the terminal's process group: Ctrl-C reaches only us, who know
 * the order of stopping. When we are killed, the channel closes, and the child stops by itself.
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
    new Failure(`the ${name} process ended unexpectedly (${how})`, 'Its messages are above.')
  const ready = new Promise<Ports>((resolve, reject) => {
    process_.on('message', (message) => {
      if (isReady(message)) resolve(message)
    })
    ended.then((how) => reject(failure(how)))
  })
  // Whoever waits for it gets the error; it must not end us when nobody does, at a stop.
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
