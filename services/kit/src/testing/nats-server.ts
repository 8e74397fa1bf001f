import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../net/free-port.js'

/** A NATS server with JetStream, on a free port and a temporary directory. */
export type NatsServer = AsyncDisposable & {
  url: string
  start(): Promise<void>
  /** Kills it with SIGKILL; its state is kept. */
  stop(): Promise<void>
  /** Stops it and deletes its state. */
  wipe(): Promise<void>
  /** Saves its state; the returned function restarts it with that state. */
  save(): Promise<() => Promise<void>>
}

/** Why tests with this server are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function natsSkipReason(): string | false {
  const { status } = spawnSync('nats-server', ['--version'])
  if (status === 0) return false
  if (process.env.FIGBASE_CI) throw new Error('nats-server is missing: .ci/run installs it')
  return 'nats-server is not installed (Debian: apt-get install nats-server)'
}

export async function startNatsServer({ jetStream = true } = {}): Promise<NatsServer> {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-nats-'))
  const port = await freePort()
  const file = join(dir, 'nats.conf')
  const store = join(dir, 'store')
  const storage = jetStream ? `jetstream { store_dir: "${store}" }\n` : ''
  await writeFile(file, `host: 127.0.0.1\nport: ${port}\n${storage}`)
  let running: ChildProcess | undefined
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      running = spawn('nats-server', ['-c', file], { stdio: 'ignore' })
      await waitUntilReady(port)
    },
    async stop() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
    async wipe() {
      await server.stop()
      await rm(store, { recursive: true, force: true, maxRetries: 5 })
    },
    async save() {
      const saved = join(dir, 'saved')
      await server.stop()
      await cp(store, saved, { recursive: true })
      await server.start()
      return async () => {
        await server.wipe()
        await cp(saved, store, { recursive: true })
        await server.start()
      }
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await server.start()
  return server
}

async function waitUntilReady(port: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1')
    const greeted = await Promise.race([
      once(socket, 'data').then(
        () => true,
        () => false,
      ),
      sleep(1000, false),
    ])
    socket.destroy()
    if (greeted) return
    await sleep(20)
  }
  throw new Error('nats-server does not respond')
}
