import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@figbase/kit/net'
import { Lifecycle } from '@figbase/kit/service'
import { forward } from '../forward.js'
import { type ComposeService, composeText, readCompose } from './compose-file.js'
import { Container } from './container.js'
import { readDockerfile } from './dockerfile.js'
import { startOutsideServers } from './outside-servers.js'

const readyMs = 60_000

/**
 * The services of `deploy/compose/compose.yaml` that run Figbase, started from the root file system of the image, each
 * with its command and environment. Each has an address of its own on the loopback, under the name of its service;
 * other servers are those of the machine.
 */
export type ComposeStack = AsyncDisposable & {
  url: string
  /** By the name of the service. */
  containers: Map<string, Container>
  /** Of the object store. */
  env: Record<string, string>
  newBuckets(count: number): Promise<string[]>
  adminPassword: string
}

export type StackOptions = {
  root: string
  profile: 'services' | 'all-in-one'
  /** Mounted as the volume of Figbase. */
  dataDir: string
  /** Further settings of all services. */
  env?: NodeJS.ProcessEnv
}

export async function startComposeStack(options: StackOptions): Promise<ComposeStack> {
  const lifecycle = new Lifecycle()
  try {
    const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`
    const hosts = new Map<string, string>()
    const addressOf = (host: string) => {
      const known = hosts.get(host) ?? `${network}.${hosts.size + 1}`
      hosts.set(host, known)
      return known
    }
    const servers = await startOutsideServers(addressOf)
    lifecycle.onStop(() => servers[Symbol.asyncDispose]())
    const front = options.profile === 'services' ? 'gateway' : 'figbase'
    // The published port.
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const published = await forward({ host: '127.0.0.1', port }, () => [
      { host: addressOf(front), port: 8000 },
    ])
    lifecycle.onStop(() => published[Symbol.asyncDispose]())
    const adminPassword = randomBytes(12).toString('hex')
    const file = readCompose(composeText(), {
      ...servers.values,
      FIGBASE_SECRET_KEY: randomBytes(32).toString('hex'),
      PUBLIC_URL: url,
    })
    const figbase = Object.entries(file.services).filter(([, { image }]) =>
      image.startsWith('figbase:'),
    )
    for (const [name] of figbase) addressOf(name)
    const etc = await mkdtemp(join(tmpdir(), 'figbase-hosts-'))
    lifecycle.onStop(() => rm(etc, { recursive: true, force: true }))
    const hostsFile = join(etc, 'hosts')
    const lines = [...hosts].map(([name, address]) => `${address} ${name}\n`)
    await writeFile(hostsFile, `127.0.0.1 localhost\n${lines.join('')}`)

    const image = readDockerfile()
    const start = (name: string, service: ComposeService, more: Partial<Start> = {}) => {
      const { command = service.command ?? [], entrypoint = image.entrypoint, input } = more
      const address = addressOf(name)
      return new Container({
        root: options.root,
        command: [...entrypoint, ...command],
        env: {
          ...image.env,
          ...service.environment,
          ...options.env,
          ...servers.s3,
          // Docker gives each container a network of its own.
          HOST: address,
          RPC_HOST: address,
          OPERATIONS_HOST: address,
        },
        mounts: { '/data': options.dataDir },
        files: { '/etc/hosts': hostsFile },
        ...(input !== undefined && { input }),
      })
    }
    const once_ = async (name: string, more: Partial<Start> = {}) => {
      const service = file.services[name]
      if (!service) throw new Error(`compose.yaml lacks ${name}`)
      const container = start(name, service, more)
      const code = await container.ended
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${container.output}`)
    }
    await once_('migrate')
    await once_('migrate', {
      command: ['create-admin', 'admin', '--email', 'admin@localhost', '--password-file', '-'],
      input: `${adminPassword}\n`,
    })

    const chosen = figbase.filter(([, { profiles }]) => profiles?.includes(options.profile))
    const containers = new Map(chosen.map(([name, service]) => [name, start(name, service)]))
    const stop = (isFront: boolean) =>
      Promise.all(
        [...containers].map(async ([name, container]) => {
          if ((name === front) !== isFront) return
          const code = await container.stop()
          if (code !== 0) throw new Error(`${name} ended with ${code}:\n${container.output}`)
        }),
      ).then(() => {})
    lifecycle.onStop(() => stop(false))
    lifecycle.onStop(() => stop(true))
    await Promise.all(
      chosen.map(async ([name, service]) => {
        const container = containers.get(name)
        const end = performance.now() + readyMs
        while (!container?.hasEnded() && !(await isReady(addressOf(name)))) {
          if (performance.now() > end) break
          await sleep(100)
        }
        const check = start(name, service, { entrypoint: image.healthcheck, command: [] })
        if ((await check.ended) === 0) return
        throw new Error(`${name} is not healthy: ${check.output}\n${container?.output}`)
      }),
    )
    return {
      url,
      containers,
      env: { ...servers.s3, S3_SECRET_KEY: servers.values.S3_SECRET_KEY ?? '' },
      newBuckets: servers.newBuckets,
      adminPassword,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]().catch(() => {})
    throw error
  }
}

async function isReady(address: string): Promise<boolean> {
  const response = await fetch(`http://${address}:9464/readyz`).catch(() => undefined)
  await response?.body?.cancel()
  return response?.ok === true
}

type Start = { command: string[]; entrypoint: string[]; input: string }
