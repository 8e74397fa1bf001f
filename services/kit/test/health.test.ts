import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { CatalogService } from '@figbase/proto/catalog'
import { RevisionsService } from '@figbase/proto/revisions'
import { status } from '@grpc/grpc-js'
import { createFileSystemStore } from '../src/objects/index.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { compose, defineService } from '../src/service/index.js'
import { createTestDatabase } from '../src/testing/database.js'
import { createGrpcClient, type GrpcMessage, grpcFailureOf } from '../src/testing/grpc.js'
import { callerKeys } from './clients.js'

const catalogName = 'figbase.catalog.v1.CatalogService'
const revisionsName = 'figbase.revisions.v1.RevisionsService'

const healthAt = (port: number) =>
  createGrpcClient(port, 'grpc/health/v1/health.proto', 'grpc.health.v1.Health')

const reflectionAt = (port: number) =>
  createGrpcClient(
    port,
    'grpc/reflection/v1/reflection.proto',
    'grpc.reflection.v1.ServerReflection',
  )

type Reflected = {
  listServicesResponse?: { service: { name: string }[] }
  fileDescriptorResponse?: { fileDescriptorProto: Buffer[] }
  allExtensionNumbersResponse?: { extensionNumber: number[] }
  errorResponse?: { errorCode: number }
}

const serving = { status: 1 }
const notServing = { status: 2 }
const unknown = { status: 3 }
const watchersMax = 100

/** Two services without handlers; the health of the first can be changed. */
async function serveTwo(reflection = false) {
  const well = { revisions: true }
  const server = await serveHttp2(
    [
      {
        routes: (router) => router.service(RevisionsService, {}),
        interceptors: [],
        callerKeys,
        isHealthy: async () => well.revisions,
      },
      {
        routes: (router) => router.service(CatalogService, {}),
        interceptors: [],
        callerKeys,
        isHealthy: async () => true,
      },
    ],
    { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 10_000, reflection },
  )
  return { well, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Adds a watcher; returns its first status or the code of the refusal. */
async function watcherOf(health: ReturnType<typeof healthAt>) {
  const watch = health.serverStream('Watch', {})
  const closed = new Promise<void>((resolve) => watch.once('close', resolve))
  const first = await new Promise<unknown>((resolve) => {
    watch.once('data', (message) => {
      assert.deepEqual(message, serving)
      resolve('serving')
    })
    watch.on('error', ({ code }: { code?: number }) => resolve(code))
  })
  const cancel = () => {
    watch.cancel()
    return closed
  }
  return { first, cancel }
}

test('reports the health of each service and of all, without authentication', async () => {
  await using at = await serveTwo()
  using health = healthAt(at.server.port)
  assert.deepEqual(await health.unary('Check', {}), serving)
  at.well.revisions = false
  assert.deepEqual(await health.unary('Check', {}), notServing)
  assert.deepEqual(await health.unary('Check', { service: revisionsName }), notServing)
  assert.deepEqual(await health.unary('Check', { service: catalogName }), serving)
  assert.deepEqual(await health.unary('List', {}), {
    statuses: { '': notServing, [revisionsName]: notServing, [catalogName]: serving },
  })
  const failure = await grpcFailureOf(health.unary('Check', { service: 'figbase.Nothing' }))
  assert.equal(failure.code, status.NOT_FOUND)
})

test('notifies watchers of changes, and shutdown does not wait for them', async () => {
  const at = await serveTwo()
  using health = healthAt(at.server.port)
  const received: GrpcMessage[] = []
  const watch = health.serverStream('Watch', { service: revisionsName })
  const nothing = health.serverStream('Watch', { service: 'figbase.Nothing' })
  const first = await new Promise((resolve) => nothing.once('data', resolve))
  assert.deepEqual(first, unknown)
  const started = performance.now()
  for await (const message of watch) {
    received.push(message)
    if (received.length === 1) at.well.revisions = false
    if (received.length === 2) at.well.revisions = true
    if (received.length === 3) void at.server[Symbol.asyncDispose]()
  }
  assert.deepEqual(received, [serving, notServing, serving, notServing])
  assert.ok(performance.now() - started < 8000)
  nothing.on('error', () => {})
})

test('frees the slot of a watcher that disconnects', async () => {
  await using at = await serveTwo()
  using health = healthAt(at.server.port)
  const all = await Promise.all(Array.from({ length: watchersMax }, () => watcherOf(health)))
  assert.deepEqual(new Set(all.map(({ first }) => first)), new Set(['serving']))
  const refused = await watcherOf(health)
  assert.equal(refused.first, status.RESOURCE_EXHAUSTED)
  for (const { cancel } of all) await cancel()
  // The server notices a cancellation a moment later, so a new watcher may have to retry.
  const end = performance.now() + 60_000
  let served = 0
  while (served < watchersMax && performance.now() < end) {
    if ((await watcherOf(health)).first === 'serving') served++
  }
  assert.equal(served, watchersMax)
})

test('a service without its database is not serving', async () => {
  const database = await createTestDatabase()
  const service = defineService({
    name: 'revisions',
    config: () => ({}),
    migrations: [],
    context: (kit) => kit,
    routes: () => (router) => router.service(RevisionsService, {}),
  })
  const other = defineService({
    ...service,
    name: 'catalog',
    routes: () => (router) => router.service(CatalogService, {}),
  })
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'silent',
    RPC_PORT: '0',
  }
  const options = { env, objects: createFileSystemStore(''), isolate: true }
  await using composed = await compose([service, other], options)
  using health = healthAt(composed.rpcPort ?? 0)
  assert.deepEqual(await health.unary('Check', {}), serving)
  assert.deepEqual(await health.unary('Check', { service: revisionsName }), serving)
  assert.deepEqual(await health.unary('Check', { service: catalogName }), serving)
  await database[Symbol.asyncDispose]()
  const end = performance.now() + 10_000
  let last: unknown
  do last = await health.unary('Check', {}, { deadline: Date.now() + 5000 })
  while ((last as typeof serving).status !== 2 && performance.now() < end)
  assert.deepEqual(last, notServing)
})

test('opens no port without RPC_PORT, and names a port in use', async () => {
  await using database = await createTestDatabase()
  await using at = await serveTwo()
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'silent',
  }
  const objects = createFileSystemStore('')
  await using closed = await compose([], { env, objects, isolate: true })
  assert.equal(closed.rpcPort, undefined)
  const used = { ...env, RPC_PORT: String(at.server.port) }
  await assert.rejects(compose([], { env: used, objects, isolate: true }), /RPC_PORT.*EADDRINUSE/)
})

test('reflection is disabled by default', async () => {
  await using at = await serveTwo()
  using reflection = reflectionAt(at.server.port)
  const call = reflection.exchange('ServerReflectionInfo', [{ listServices: '*' }])
  assert.equal((await grpcFailureOf(call)).code, status.UNIMPLEMENTED)
})

test('reflection returns the services and their files with imports', async () => {
  await using at = await serveTwo(true)
  using reflection = reflectionAt(at.server.port)
  const ask = async (request: object) => {
    const [reply] = await reflection.exchange('ServerReflectionInfo', [request])
    return reply as Reflected
  }
  const listed = await ask({ listServices: '*' })
  assert.deepEqual(listed.listServicesResponse?.service.map(({ name }) => name).sort(), [
    catalogName,
    revisionsName,
    'grpc.health.v1.Health',
    'grpc.reflection.v1.ServerReflection',
  ])
  const filesOf = ({ fileDescriptorResponse }: Reflected) =>
    fileDescriptorResponse?.fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
    ) ?? []
  const catalogFiles = [
    'google/protobuf/descriptor.proto',
    'figbase/common/v1/common.proto',
    'google/protobuf/timestamp.proto',
    'figbase/catalog/v1/catalog.proto',
  ]
  for (const request of [
    { fileByFilename: 'figbase/catalog/v1/catalog.proto' },
    { fileContainingSymbol: catalogName },
    { fileContainingSymbol: `${catalogName}.GetNode` },
    { fileContainingSymbol: 'figbase.catalog.v1.Node.size_bytes' },
    { fileContainingSymbol: 'figbase.catalog.v1.Permission' },
  ]) {
    assert.deepEqual(filesOf(await ask(request)), catalogFiles)
  }
  const containingType = 'google.protobuf.MethodOptions'
  const extension = { fileContainingExtension: { containingType, extensionNumber: 50_001 } }
  assert.equal(filesOf(await ask(extension)).at(-1), 'figbase/common/v1/common.proto')
  const numbers = await ask({ allExtensionNumbersOfType: containingType })
  assert.deepEqual(numbers.allExtensionNumbersResponse?.extensionNumber, [50_001, 50_004])
  for (const symbol of ['figbase.nothing', 'toString', `${catalogName}.Nothing`, '']) {
    const reply = await ask({ fileContainingSymbol: symbol })
    assert.equal(reply.errorResponse?.errorCode, status.NOT_FOUND)
  }
})
