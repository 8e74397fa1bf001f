import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../net/free-port.js'

/** A temporary Redis on loopback, without persistence. */
export type RedisServer = AsyncDisposable & {
  url: string
  start(): Promise<void>
  /** Stops it and loses its data. */
  stop(): Promise<void>
}

/** Why tests with this server are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function redisSkipReason(): string | false {
  if (spawnSync('redis-server', ['--version']).status === 0) return false
  if (process.env.FIGBASE_CI) throw new Error('redis-server is missing: .ci/run installs it')
  return 'redis-server is not installed (Debian: apt-get install redis-server)'
}

export async function startRedisServer({ password = '' } = {}): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-redis-'))
  const port = await freePort()
  const settings = {
    ...{ bind: '127.0.0.1', port, dir, save: '', appendonly: 'no', daemonize: 'no' },
    requirepass: password,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  let running: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
      running = child
      for await (const line of createInterface(child.stdout)) {
        if (/Ready to accept connections/.test(line)) break
      }
      child.stdout.resume()
      if (child.exitCode !== null) throw new Error('redis-server did not start')
    },
    async stop() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await server.start()
  return server
}
