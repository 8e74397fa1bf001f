import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DescService } from '@bufbuild/protobuf'
import { type Client, type ConnectRouter, createRouterTransport } from '@connectrpc/connect'
import { keysFrom } from '../keys/keys.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import { createFileSystemStore } from '../objects/file-system.js'
import type { ObjectStore } from '../objects/port.js'
import { serveHttp2 } from '../rpc/http2.js'
import { clientInterceptor } from '../rpc/interceptors.js'
import { lazyClient } from '../rpc/lazy-client.js'
import { createLocalTransport } from '../rpc/local-transport.js'
import { connectPeers } from '../rpc/peers.js'
import { internalKeyPurpose, operationsServers } from '../service/rpc-server.js'
import type { Service } from '../service/service.js'
import { startService } from '../service/start-service.js'
import { createServiceDatabase } from './template.js'

export type TestService = AsyncDisposable & {
  client<S extends DescService>(service: S): Client<S>
  databaseUrl: string
  objects: ObjectStore
  objectsDir: string
}

export type TestServiceOptions = {
  transport: 'local' | 'http2'
  /** Fakes of the services that this one calls. */
  peers?: (router: ConnectRouter) => unknown
  /** Database of another instance, to run as its replica; default: a new one. */
  databaseUrl?: string
  /** Default: files in a temporary directory. */
  objects?: ObjectStore
  env?: Record<string, string>
}

/** Starts one service with a real PostgreSQL and the transport of either topology. */
export async function startTestService(
  service: Service,
  options: TestServiceOptions,
): Promise<TestService> {
  const lifecycle = new Lifecycle()
  try {
    return await start(lifecycle, service, options)
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function start(
  lifecycle: Lifecycle,
  service: Service,
  options: TestServiceOptions,
): Promise<TestService> {
  const { transport, peers = () => {}, env = {} } = options
  const databaseUrl = options.databaseUrl ?? (await ownDatabase(lifecycle, service))
  const objectsDir = await mkdtemp(join(tmpdir(), 'figbase-objects-'))
  lifecycle.onStop(() => rm(objectsDir, { recursive: true, force: true }))
  const objects = options.objects ?? createFileSystemStore(objectsDir)
  const secret = 'a secret of the tests'
  const interceptors = [clientInterceptor(keysFrom(secret).derive(internalKeyPurpose))]
  const fakes = createRouterTransport((router) => void peers(router), {
    transport: { interceptors },
  })
  const started = await startService(service, {
    env: {
      DATABASE_URL: databaseUrl,
      FIGBASE_SECRET_KEY: secret,
      LOG_LEVEL: 'fatal',
      ...env,
    },
    objects,
    transportTo: () => fakes,
  })
  lifecycle.onStop(() => started[Symbol.asyncDispose]())
  const common = { databaseUrl, objects, objectsDir }
  const stop = {
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
  if (transport === 'local') {
    const local = createLocalTransport([started.server, ...operationsServers([started])], {
      interceptors,
      isolate: true,
    })
    await started.work()
    return { ...common, ...stop, client: (desc) => lazyClient(desc, () => local) }
  }
  const address = { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 1000 }
  const server = await serveHttp2([started.server, ...operationsServers([started])], address)
  lifecycle.onStop(() => server[Symbol.asyncDispose]())
  const url = `http://127.0.0.1:${server.port}`
  const remote = connectPeers({ [service.name]: [url] }, interceptors)
  lifecycle.onStop(() => remote[Symbol.asyncDispose]())
  await started.work()
  return {
    ...common,
    ...stop,
    client: (desc) => lazyClient(desc, remote.transportTo),
  }
}

async function ownDatabase(lifecycle: Lifecycle, service: Service) {
  const database = await createServiceDatabase(service)
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  return database.url
}
