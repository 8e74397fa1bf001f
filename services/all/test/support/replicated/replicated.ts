import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@figbase/kit/net'
import { peerSettingOf } from '@figbase/kit/rpc'
import { Lifecycle } from '@figbase/kit/service'
import { gatewayProgram, servicePrograms } from '../../../src/programs.js'
import { newSecret } from '../../../src/secrets.js'
import { type Backend, startBalancer } from './balancer.js'
import { Replica } from './replica.js'
import type { Servers } from './servers.js'

export type ReplicatedOptions = {
  /** Only their settings are needed. */
  servers: Pick<Servers, 'env'>
  /** Environment of every process. */
  env?: NodeJS.ProcessEnv
  /** Directory for the administrator's password and mails; default: a temporary one. */
  dataDir?: string
  /** Processes per service, and of the gateway. */
  count?: number
  /** Processes of single services, by name. */
  counts?: Record<string, number>
}

/**
 * Figbase with several processes per service and several gateways on external servers, as operators deploy it: `serve`,
 * addresses of peers in settings, and a load balancer.
 */
export type Replicated = AsyncDisposable & {
  url: string
  dataDir: string
  /** Direct URLs, without the balancer. */
  gateways: string[]
  /** The gateways come last. */
  replicas: Replica[]
}

export async function startReplicated(options: ReplicatedOptions): Promise<Replicated> {
  const { servers, count = 2, counts = {} } = options
  const lifecycle = new Lifecycle()
  try {
    const dataDir = options.dataDir ?? (await temporaryDir(lifecycle))
    const backends = await Promise.all(Array.from({ length: count }, newBackend))
    const balancer = await startBalancer(backends)
    const ports = new Map<string, number[]>()
    for (const { name } of servicePrograms) {
      const length = counts[name] ?? count
      ports.set(name, await Promise.all(Array.from({ length }, freePort)))
    }
    const env = {
      ...options.env,
      ...servers.env,
      ...addresses(ports),
      PATH: process.env.PATH,
      PUBLIC_URL: balancer.url,
      FIGBASE_SECRET_KEY: newSecret(),
      FIGBASE_DATA_DIR: dataDir,
      MAIL_DIR: join(dataDir, 'mail'),
      COMPUTE_LOCAL_DIR: join(dataDir, 'compute'),
      ADMIN_PASSWORD_FILE: join(dataDir, 'admin-password'),
    }
    const replicas: Replica[] = []
    for (const program of servicePrograms) {
      for (const [index, port] of (ports.get(program.name) ?? []).entries()) {
        const operationsPort = await freePort()
        const own = { RPC_PORT: `${port}`, OPERATIONS_PORT: `${operationsPort}` }
        replicas.push(new Replica(program, index + 1, { ...env, ...own }, operationsPort))
      }
    }
    for (const [index, { port, operationsPort }] of backends.entries()) {
      const own = { PORT: `${port}`, OPERATIONS_PORT: `${operationsPort}` }
      replicas.push(new Replica(gatewayProgram, index + 1, { ...env, ...own }, operationsPort))
    }
    // The gateways stop first, since their requests need the services.
    lifecycle.onStop(() => stopAll(replicas.filter(({ program }) => program !== gatewayProgram)))
    lifecycle.onStop(() => stopAll(replicas.filter(({ program }) => program === gatewayProgram)))
    lifecycle.onStop(() => balancer[Symbol.asyncDispose]())
    await Promise.all(replicas.map((replica) => replica.start()))
    return {
      url: balancer.url,
      dataDir,
      gateways: backends.map(({ port }) => `http://127.0.0.1:${port}`),
      replicas,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

const addresses = (ports: Map<string, number[]>) =>
  Object.fromEntries(
    [...ports].map(([name, own]) => [
      peerSettingOf(name),
      own.map((port) => `http://127.0.0.1:${port}`).join(),
    ]),
  )

const newBackend = async (): Promise<Backend> => ({
  port: await freePort(),
  operationsPort: await freePort(),
})

const stopAll = (replicas: Replica[]) => Promise.all(replicas.map((replica) => replica.stop()))

async function temporaryDir(lifecycle: Lifecycle): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-replicated-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}
