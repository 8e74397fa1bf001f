import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { Client } from 'minio'
import { ConfigError } from '../src/config/index.js'
import { objectStoreContract } from '../src/objects/contract.js'
import {
  checkStore,
  createS3Store,
  ObjectNotFound,
  type ObjectStore,
  requireStore,
  type S3Options,
  type StorageProblem,
  StorageUnavailable,
} from '../src/objects/index.js'
import { defineService, startServing } from '../src/service/index.js'
import {
  createTestDatabase,
  type Fault,
  type S3Server,
  s3SkipReason,
  startFaultyProxy,
  startS3Server,
} from '../src/testing/index.js'

import { certificate } from './mail-certificate.js'

const MiB = 2 ** 20
const missing = s3SkipReason()
if (missing) test('objects on S3', { skip: missing }, () => {})
else {
  let server: S3Server
  before(async () => {
    server = await startS3Server()
  })
  after(() => server[Symbol.asyncDispose]())

  const newOptions = async () => server.storeOptions(await server.newBucket())
  const newStore = async (prefix = '') => createS3Store({ ...(await newOptions()), prefix })

  objectStoreContract('S3', () => newStore('/lab/figures/'))

  test('separates stores with different prefixes of a bucket', async () => {
    const options = await newOptions()
    const a = createS3Store({ ...options, prefix: 'a' })
    const b = createS3Store({ ...options, prefix: 'b/' })
    const root = createS3Store(options)
    await put(a, 'same', 1)
    await put(b, 'same', 2)
    await put(root, 'ab', 3)
    assert.deepEqual(await sizes(a), [['same', 1]])
    assert.deepEqual(await sizes(b), [['same', 2]])
    await a.delete(['same'])
    assert.deepEqual((await sizes(root)).sort(), [
      ['ab', 3],
      ['b/same', 2],
    ])
  })

  test('names the wrong setting', async () => {
    const options = await newOptions()
    const wrong: [Partial<S3Options>, StorageProblem, RegExp][] = [
      [{ bucket: 'another-bucket' }, 'bucket', /^S3_BUCKET: .*NoSuchBucket/],
      [{ bucket: 'No' }, 'bucket', /^S3_BUCKET: .*bucket name/],
      [{ secretKey: 'a guess' }, 'secret_key', /^S3_SECRET_KEY or S3_ACCESS_KEY: /],
      [{ accessKey: 'nobody' }, 'secret_key', /^S3_SECRET_KEY or S3_ACCESS_KEY: /],
      [{ region: 'mars-1' }, 'region', /^S3_REGION: .*us-east-1/],
      [{ endpoint: 'http://127.0.0.1:1' }, 'endpoint', /^S3_ENDPOINT: .*ECONNREFUSED/],
      [{ endpoint: 'http://nowhere.invalid' }, 'endpoint', /^S3_ENDPOINT: .*nowhere.invalid/],
    ]
    for (const [change, problem, message] of wrong) {
      const store = createS3Store({ ...options, ...change })
      await assert.rejects(checkStore(store), isUnavailable(problem))
      await assert.rejects(requireStore(store, 10_000), (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /a guess/)
        return true
      })
    }
    const good = createS3Store(options)
    await requireStore(good, 10_000)
    assert.deepEqual(await sizes(good), [])
  })

  test('a service that stores objects does not start without a store or with incomplete settings', async () => {
    await using database = await createTestDatabase()
    const settings = {
      DATABASE_URL: database.url,
      FIGBASE_SECRET_KEY: 'a secret of the tests',
      LOG_LEVEL: 'fatal',
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: await server.newBucket(),
      S3_ACCESS_KEY: server.accessKey,
      S3_SECRET_KEY: server.secretKey,
    }
    const service = defineService({
      name: 'storing',
      config: () => ({}),
      storesObjects: true,
      migrations: [],
      context: (kit) => kit,
      routes: () => () => {},
    })
    const failure = async (change: Record<string, string>) => {
      try {
        const started = await startServing(service, { ...settings, ...change })
        await started[Symbol.asyncDispose]()
        return 'none'
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error))
        return error.message
      }
    }
    assert.equal(await failure({}), 'none')
    assert.match(await failure({ S3_BUCKET: 'another' }), /^S3_BUCKET: .*NoSuchBucket/)
    assert.match(await failure({ S3_BUCKET: '' }), /^S3_BUCKET is required/)
    assert.match(await failure({ S3_ENDPOINT: '' }), /^S3_ENDPOINT is required/)
    const below = { S3_ENDPOINT: `${server.endpoint}/path`, S3_PART_BYTES: '1MiB' }
    assert.match(await failure(below), /S3_PART_BYTES.*S3_ENDPOINT: .*without a path/s)
  })

  test('works over TLS and refuses an untrusted certificate', async () => {
    const options = await newOptions()
    const { hostname, port } = new URL(server.endpoint)
    const front = createServer(certificate, (client) => {
      const behind = connect(Number(port), hostname)
      client.pipe(behind).pipe(client)
      client.on('error', () => behind.destroy())
      behind.on('error', () => client.destroy())
    }).listen(0, '127.0.0.1')
    await once(front, 'listening')
    const agent = new TlsAgent({ ca: certificate.cert })
    try {
      const endpoint = `https://127.0.0.1:${(front.address() as AddressInfo).port}`
      const store = createS3Store({ ...options, endpoint, agent })
      await put(store, 'small', 5)
      await put(store, 'large', 12 * MiB)
      assert.equal(await read(store, 'large'), 12 * MiB)
      assert.equal(await read(store, 'small', { offset: 1, length: 3 }), 3)
      await store.delete(['small', 'large'])
      assert.deepEqual(await sizes(store), [])
      const strict = createS3Store({ ...options, endpoint })
      await assert.rejects(requireStore(strict, 10_000), /^ConfigError: S3_ENDPOINT: .*certificate/)
    } finally {
      agent.destroy()
      front.close()
    }
  })

  test('buffers one part per put, with backpressure', async () => {
    const options = await newOptions()
    await using proxy = await startFaultyProxy(server.endpoint)
    proxy.set({ bytesPerSecond: 200 * MiB })
    const store = createS3Store({ ...options, endpoint: proxy.url })
    const chunk = new Uint8Array(64 * 1024)
    let pulled = 0
    let aheadMax = 0
    const source = async function* () {
      while (pulled < 48 * MiB) {
        pulled += chunk.length
        aheadMax = Math.max(aheadMax, pulled - proxy.bytesForwarded())
        yield chunk
      }
    }
    await store.put('large', source())
    assert.ok(aheadMax <= options.partBytes + chunk.length, `${aheadMax} bytes ahead`)
    assert.deepEqual(await sizes(store), [['large', 48 * MiB]])
  })

  test('leaves no parts after a failure of source or server', async () => {
    const options = await newOptions()
    const store = createS3Store(options)
    await assert.rejects(store.put('a', failing(12 * MiB)), RangeError)
    assert.deepEqual(await server.openUploads(options.bucket), [])
    await using proxy = await startFaultyProxy(server.endpoint)
    const through = createS3Store({ ...options, endpoint: proxy.url, agent: new Agent() })
    const cut = async function* () {
      yield* zeros(6 * MiB)
      proxy.set({ cutAfterBytes: MiB, of: 'client' })
      yield* zeros(6 * MiB)
    }
    await assert.rejects(through.put('b', cut()), isUnavailable('endpoint'))
    // Beyond the size of small requests, which pass.
    await until(async () => (await server.openUploads(options.bucket)).length === 0)
    assert.deepEqual(await sizes(store), [])
  })

  test('a sweep aborts old uploads only', async () => {
    const options = { ...(await newOptions()), prefix: 'here' }
    const client = clientOf(options)
    const keys = ['elsewhere/three', 'here/one', 'here/a/two']
    for (const key of keys) {
      const id = await client.initiateNewMultipartUpload(options.bucket, key, {})
      const part = { bucketName: options.bucket, objectName: key, uploadID: id, headers: {} }
      await client.uploadPart({ ...part, partNumber: 1 }, Buffer.from('part'))
    }
    await createS3Store(options).sweep()
    assert.equal((await server.openUploads(options.bucket)).length, 3)
    // Swift has whole seconds.
    await sleep(1100)
    await createS3Store({ ...options, abandonedAfterMs: 1 }).sweep()
    assert.deepEqual(await server.openUploads(options.bucket), ['elsewhere/three'])
  })

  test('retries a busy store and lost connections up to the maximum', async () => {
    const options = await newOptions()
    await using proxy = await startFaultyProxy(server.endpoint)
    const store = createS3Store({ ...options, endpoint: proxy.url, agent: new Agent() })
    for (const fault of [busy, { cutAfterBytes: 1, of: 'server' }] satisfies Fault[]) {
      proxy.set(fault)
      const before = proxy.connections()
      const putting = put(store, 'again', 5)
      await until(async () => proxy.connections() > before)
      proxy.set('none')
      await putting
      await store.delete(['again'])
      proxy.set(fault)
      await assert.rejects(put(store, 'again', 5), isUnavailable('endpoint'))
    }
  })

  test('times out on a silent store, and rejects servers that are not S3', async () => {
    const options = await newOptions()
    const good = createS3Store(options)
    await put(good, 'there', 5)
    await using proxy = await startFaultyProxy(server.endpoint)
    const store = createS3Store({
      ...options,
      endpoint: proxy.url,
      silenceTimeoutMs: 300,
      agent: new Agent(),
    })
    const page = '<html><body>Welcome</body></html>'
    for (const fault of [
      'silent',
      { answer: answerOf('200 OK', page) },
      { answer: answerOf('404 Not Found', page) },
      { answer: answerOf('404 Not Found', '') },
      { answer: answerOf('403 Forbidden', 'no') },
      { answer: 'SSH-2.0-OpenSSH_9.2\r\n' },
      { answer: '' },
    ] satisfies Fault[]) {
      proxy.set(fault)
      await assert.rejects(put(store, 'lost', 5), StorageUnavailable)
      await assert.rejects(store.put('lost', zeros(6 * MiB)), StorageUnavailable)
      await assert.rejects(read(store, 'there', { offset: 1, length: 3 }), StorageUnavailable)
      await assert.rejects(sizes(store), StorageUnavailable)
      await assert.rejects(store.sweep(), StorageUnavailable)
    }
    proxy.set('none')
    await until(async () => (await server.openUploads(options.bucket)).length === 0)
    assert.deepEqual(await sizes(good), [['there', 5]])
  })

  test('a read fails if the connection is lost or silent, but not with a slow reader', async () => {
    const options = await newOptions()
    const size = 8 * MiB
    await createS3Store(options).put('large', zeros(size))
    await using proxy = await startFaultyProxy(server.endpoint)
    const agent = new Agent({ keepAlive: true })
    const store = createS3Store({ ...options, endpoint: proxy.url, silenceTimeoutMs: 300, agent })
    let waited = false
    let seen = 0
    for await (const chunk of store.get('large')) {
      if (!waited) await sleep(700)
      waited = true
      seen += chunk.length
    }
    assert.equal(seen, size)
    for (const fault of ['silent', { cutAfterBytes: MiB, of: 'server' }] satisfies Fault[]) {
      proxy.set('none')
      let some = 0
      const reading = async () => {
        for await (const chunk of store.get('large')) {
          some += chunk.length
          proxy.set(fault)
        }
      }
      await assert.rejects(reading(), isUnavailable('endpoint'))
      assert.ok(some > 0 && some < size, `${some}`)
    }
    proxy.set('none')
    await assert.rejects(read(store, 'none'), ObjectNotFound)
    agent.destroy()
  })

  const clientOf = ({ accessKey, secretKey, region }: S3Options) => {
    const { hostname, port } = new URL(server.endpoint)
    const address = { endPoint: hostname, port: Number(port), useSSL: false }
    return new Client({ ...address, accessKey, secretKey, region })
  }
}

const answerOf = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
const busy: Fault = { answer: answerOf('503 Slow Down', '<Error><Code>SlowDown</Code></Error>') }

const isUnavailable = (problem: StorageProblem) => (error: unknown) => {
  assert.ok(error instanceof StorageUnavailable, String(error))
  assert.equal(error.problem, problem)
  return true
}

async function* zeros(size: number) {
  const chunk = new Uint8Array(64 * 1024)
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

async function* failing(size: number) {
  yield* zeros(size)
  throw new RangeError('the source failed')
}

const put = (store: ObjectStore, key: string, size: number) => store.put(key, zeros(size))

async function read(store: ObjectStore, key: string, range?: { offset: number; length: number }) {
  let size = 0
  for await (const chunk of store.get(key, range)) size += chunk.length
  return size
}

async function sizes(store: ObjectStore) {
  const found: [string, number][] = []
  for await (const { key, sizeBytes } of store.list('')) found.push([key, sizeBytes])
  return found
}

async function until(holds: () => Promise<boolean>) {
  const end = Date.now() + 10_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'must not be called')
    await sleep(50)
  }
}
