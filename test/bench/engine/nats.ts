import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@figbase/kit/net'
import { endWithUs } from '../interrupt.js'

export type NatsServer = AsyncDisposable & { url: string; pid: number }

const startMs = 10_000

export const hasNats = (): boolean => spawnSync('nats-server', ['--version']).status === 0

/** Starts a NATS server with JetStream, with its own directory and port. */
export async function startNats(dir: string): Promise<NatsServer> {
  mkdirSync(dir)
  const port = await freePort()
  const config = join(dir, 'nats.conf')
  const storage = `jetstream { store_dir: "${join(dir, 'store')}" }`
  writeFileSync(config, `host: 127.0.0.1\nport: ${port}\n${storage}\n`)
  const child = spawn('nats-server', ['-c', config], { stdio: 'ignore' })
  const stop = async () => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (!hasEnded) {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }
    settled()
  }
  const settled = endWithUs(stop)
  const end = performance.now() + startMs
  while (!(await greets(port))) {
    if (performance.now() < end) await sleep(20)
    else {
      await stop()
      throw new Error('nats-server did not start')
    }
  }
  const url = `nats://127.0.0.1:${port}`
  return { url, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop }
}

// The server sends a greeting on connect.
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const done = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('data', () => done(true)).once('error', () => done(false))
    socket.setTimeout(1000, () => done(false))
  })
}
