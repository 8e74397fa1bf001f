import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code } from '@connectrpc/connect'
import { detailOf, unavailable } from '../src/errors/index.js'
import { actAsSystem } from '../src/rpc/index.js'
import { startFaultyProxy } from '../src/testing/faulty-proxy.js'
import { failureOf } from './failure-of.js'
import { callReplicas, type Handlers, startFailing, startReplica } from './replica-servers.js'

/** Returns the name of the replica that handled a call. */
const named = (name: string): Handlers => ({
  findExisting: () => ({ ids: [name] }),
  reserveShortIdPrefix: () => ({ prefix: name }),
})

type Calling = ReturnType<typeof callReplicas>

const read = async ({ client }: Calling, timeoutMs?: number) => {
  const { ids } = await client.findExisting(
    {},
    { ...actAsSystem(), ...(timeoutMs && { timeoutMs }) },
  )
  return ids[0]
}

const write = async ({ client }: Calling) => {
  const { prefix } = await client.reserveShortIdPrefix({}, actAsSystem())
  return prefix
}

const failsAs = async (call: Promise<unknown>) =>
  assert.equal((await failureOf(call)).code, Code.Unavailable)

const allOf = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  for (let n = 0; n < count; n++) all.push(await work())
  return all
}

/** Accepts connections and closes them at once; counts them. */
async function startClosing() {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

async function refusingUrl() {
  await using gone = await startReplica({})
  return gone.url
}

test('distributes calls round robin', async () => {
  await using a = await startReplica(named('a'))
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([a.url, b.url])
  assert.deepEqual(await times(4, () => read(calling)), ['a', 'b', 'a', 'b'])
})

test('sends any call to another replica if one cannot be connected', async () => {
  await using b = await startReplica(named('b'))
  const gone = await refusingUrl()
  await using calling = callReplicas([gone, b.url])
  assert.deepEqual(await times(4, () => read(calling)), ['b', 'b', 'b', 'b'])
  assert.deepEqual(await times(4, () => write(calling)), ['b', 'b', 'b', 'b'])
})

test('sends a whole upload to another replica if one cannot be connected', async () => {
  let parts = 0
  await using b = await startReplica({
    async createRevision(all) {
      for await (const _ of all) parts++
      return {}
    },
  })
  await using calling = callReplicas([await refusingUrl(), b.url])
  async function* upload() {
    for (let n = 0; n < 3; n++) yield { part: { case: 'chunk' as const, value: Buffer.alloc(9) } }
  }
  await calling.client.createRevision(upload(), actAsSystem())
  assert.equal(parts, 3)
})

test('fails at once if no replica can be connected', async () => {
  await using calling = callReplicas([await refusingUrl(), await refusingUrl()])
  const started = performance.now()
  const error = await failureOf(write(calling))
  assert.equal(error.code, Code.Unavailable)
  assert.match(error.rawMessage, /revisions is unavailable.*ECONNREFUSED/)
  assert.ok(performance.now() - started < 1000)
})

test('retries a read after a lost connection, but not a write', async () => {
  await using a = await startFailing((stream) => stream.session?.destroy())
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([a.url, b.url])
  assert.equal(await read(calling), 'b')
  assert.equal(a.seen.length, 1)
  const outcomes = [write, write].map((call) => call(calling).catch(({ code }) => code))
  assert.deepEqual((await Promise.all(outcomes)).sort(), [Code.Unavailable, 'b'])
  assert.equal(a.seen.length, 2)
})

test('limits the retries of a call', async () => {
  await using a = await startFailing((stream) => stream.session?.destroy())
  await using calling = callReplicas([a.url], { retriesMax: 2 })
  assert.equal((await failureOf(read(calling))).code, Code.Unavailable)
  assert.equal(a.seen.length, 3)
})

test('does not retry a stream after its first response', async () => {
  await using a = await startFailing((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' })
    stream.write(Buffer.from([0, 0, 0, 0, 0]), () => stream.session?.destroy())
  })
  await using b = await startFailing(() => {})
  await using calling = callReplicas([a.url, b.url])
  const stream = calling.client.readData({}, actAsSystem())
  await failureOf(allOf(stream))
  assert.deepEqual([a.seen.length, b.seen.length], [1, 0])
})

test('retries a stream that reads, if the connection is lost after its headers', async () => {
  await using a = await startFailing((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' })
    stream.write('', () => setTimeout(() => stream.session?.destroy(), 50))
  })
  await using b = await startReplica({
    async *readData() {
      for (const size of [1, 2]) yield { part: { case: 'chunk', value: Buffer.alloc(size) } }
    },
  })
  await using calling = callReplicas([a.url, b.url])
  const parts = await allOf(calling.client.readData({}, actAsSystem()))
  assert.deepEqual([a.seen.length, parts.length], [1, 2])
})

test('ends a call whose stream is left at its first part', async () => {
  let hasEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve
  })
  await using a = await startReplica({
    async *readData(_, { signal }) {
      signal.addEventListener('abort', () => hasEnded())
      for (;;) {
        yield { part: { case: 'chunk', value: Buffer.alloc(9) } }
        await sleep(10)
      }
    },
  })
  await using calling = callReplicas([a.url])
  for await (const _ of calling.client.readData({}, actAsSystem())) break
  await ended
})

test('a connection that ends right after a whole response has lost nothing', async () => {
  const end = Buffer.from([2, 0, 0, 0, 2, ...Buffer.from('{}')])
  await using ending = await startFailing((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' })
    stream.write(Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), end]))
    setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 50)
  })
  await using calling = callReplicas([ending.url])
  assert.equal((await allOf(calling.client.readData({}, actAsSystem()))).length, 1)
  await using early = await startFailing((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' })
    stream.write(Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), end.subarray(0, -1)]))
    setTimeout(() => stream.session?.destroy(), 50)
  })
  await using other = callReplicas([early.url])
  await failsAs(allOf(other.client.readData({}, actAsSystem())))
})

test('fails if the connection is lost during the response', async () => {
  await using broken = await startFailing((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/proto', 'content-length': 100 })
    stream.write(Buffer.alloc(10), () => stream.session?.destroy())
  })
  await using calling = callReplicas([broken.url])
  await failsAs(read(calling))
  await failsAs(write(calling))
})

test('sends any call to another replica if one refuses it unprocessed', async () => {
  await using a = await startFailing((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM))
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([a.url, b.url])
  assert.deepEqual(await times(2, () => write(calling)), ['b', 'b'])
  assert.equal(a.seen.length, 1)
})

test('sends a whole upload to another replica if one refuses it unprocessed', async () => {
  const sizes: number[] = []
  await using a = await startFailing((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM))
  await using b = await startReplica({
    async createRevision(all) {
      for await (const { part } of all) if (part.case === 'chunk') sizes.push(part.value.length)
      return {}
    },
  })
  await using calling = callReplicas([a.url, b.url])
  async function* upload() {
    for (const size of [1, 2, 3]) {
      yield { part: { case: 'chunk' as const, value: Buffer.alloc(size) } }
    }
  }
  await calling.client.createRevision(upload(), actAsSystem())
  assert.deepEqual([a.seen.length, sizes], [1, [1, 2, 3]])
})

test('does not retry an upload that exceeds the buffer, and ends its source', async () => {
  let received = 0
  await using a = await startFailing((stream) => {
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > 2 * 2 ** 20) stream.close(constants.NGHTTP2_REFUSED_STREAM)
    })
  })
  await using b = await startFailing(() => {})
  await using calling = callReplicas([a.url, b.url])
  let hasEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve
  })
  async function* upload() {
    try {
      for (;;) yield { part: { case: 'chunk' as const, value: Buffer.alloc(64 * 1024) } }
    } finally {
      hasEnded()
    }
  }
  const error = await failureOf(calling.client.createRevision(upload(), actAsSystem()))
  assert.equal(error.code, Code.Unavailable)
  await ended
  assert.deepEqual([a.seen.length, b.seen.length], [1, 0])
})

test('sends a call after a GOAWAY to another replica', async () => {
  await using a = await startFailing((stream) => {
    if (stream.id === 1) {
      stream.respond({ ':status': 200, 'content-type': 'application/proto' })
      stream.end()
    } else stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 1)
  })
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([a.url, b.url])
  assert.deepEqual(await times(3, () => write(calling)), ['', 'b', 'b'])
  assert.equal(a.seen.length, 2)
})

test('does not retry an error of a handler', async () => {
  let asked = 0
  const handlers: Handlers = {
    findExisting() {
      asked++
      throw unavailable('the store is unavailable')
    },
  }
  await using a = await startReplica(handlers)
  await using b = await startReplica(handlers)
  await using calling = callReplicas([a.url, b.url])
  const error = await failureOf(read(calling))
  assert.equal(detailOf(error)?.error, 'unavailable')
  assert.equal(asked, 1)
})

test('ejects a replica after repeated failures', async () => {
  await using a = await startClosing()
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([a.url, b.url], { failuresMax: 2, backoffMinMs: 60_000 })
  const answers = await times(20, () => read(calling))
  assert.deepEqual([...new Set(answers)], ['b'])
  assert.equal(a.connections(), 2)
})

test('tries an ejected replica if all are ejected', async () => {
  await using a = await startClosing()
  await using calling = callReplicas([a.url], { failuresMax: 1, backoffMinMs: 60_000 })
  for (let n = 1; n <= 4; n++) {
    await failureOf(write(calling))
    assert.equal(a.connections(), n)
  }
})

test('sends calls to a recovered replica', async () => {
  const first = await startReplica(named('a'))
  const { port, url } = first
  await first[Symbol.asyncDispose]()
  await using b = await startReplica(named('b'))
  const settings = { failuresMax: 1, backoffMinMs: 20, backoffMaxMs: 50 }
  await using calling = callReplicas([url, b.url], settings)
  assert.equal(await read(calling), 'b')
  await using _a = await startReplica(named('a'), { port })
  while ((await read(calling)) !== 'a') await sleep(5)
})

test('detects an unresponsive replica by pings and retries its reads', async () => {
  await using a = await startReplica(named('a'))
  await using proxy = await startFaultyProxy(a.url)
  await using b = await startReplica(named('b'))
  const settings = { pingIntervalMs: 50, pingTimeoutMs: 200 }
  await using calling = callReplicas([proxy.url, b.url], settings)
  assert.deepEqual(await times(2, () => read(calling)), ['a', 'b'])
  proxy.set('silent')
  const started = performance.now()
  assert.deepEqual(await times(2, () => read(calling)), ['b', 'b'])
  assert.ok(performance.now() - started < 5000)
})

test('detects an unresponsive replica also with short call timeouts', async () => {
  await using a = await startReplica(named('a'))
  await using proxy = await startFaultyProxy(a.url)
  const settings = { pingIntervalMs: 50, pingTimeoutMs: 300 }
  await using calling = callReplicas([proxy.url], settings)
  await read(calling)
  proxy.set('silent')
  while (proxy.connections() === 1) {
    assert.equal((await failureOf(read(calling, 40))).code, Code.DeadlineExceeded)
  }
})

test('does not call a replica that accepts connections and stays silent', async () => {
  await using a = await startReplica(named('a'))
  await using proxy = await startFaultyProxy(a.url)
  proxy.set('silent')
  await using b = await startReplica(named('b'))
  await using calling = callReplicas([proxy.url, b.url], { connectTimeoutMs: 100 })
  assert.deepEqual(await times(4, () => write(calling)), ['b', 'b', 'b', 'b'])
})

test('follows the addresses of a host name', {
  skip: process.platform === 'linux' ? false : 'needs 127.0.0.2',
}, async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let waiting = () => {}
  const isWaiting = new Promise<void>((resolve) => {
    waiting = resolve
  })
  await using a = await startReplica({
    ...named('a'),
    async getUpload() {
      waiting()
      await released
      return {}
    },
  })
  await using _b = await startReplica(named('b'), { host: '127.0.0.2', port: a.port })
  let addresses = ['127.0.0.1']
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return addresses.map((address) => ({ address, family: 4 }))
  }
  const settings = { resolveIntervalMs: 0 }
  const url = `http://revisions.test:${a.port}`
  await using calling = callReplicas([url], settings, { resolve })
  assert.deepEqual(await times(2, () => read(calling)), ['a', 'a'])
  addresses = ['127.0.0.1', '127.0.0.2']
  while ((await read(calling)) !== 'b');
  const inFlight = calling.client.getUpload({}, actAsSystem())
  const again = calling.client.getUpload({}, actAsSystem()).catch(() => {})
  await isWaiting
  addresses = ['127.0.0.2']
  while (new Set(await times(4, () => read(calling))).has('a'));
  release()
  await Promise.allSettled([inFlight, again])
  assert.deepEqual([...new Set(asked)], ['revisions.test'])
})

test('calls fail only while the host name cannot be resolved', async () => {
  await using a = await startReplica(named('a'))
  let isKnown = false
  const resolve = async () => {
    if (!isKnown) throw new Error('no such host')
    return [{ address: '127.0.0.1', family: 4 }]
  }
  await using calling = callReplicas([`http://revisions.test:${a.port}`], {}, { resolve })
  const error = await failureOf(read(calling))
  assert.equal(error.code, Code.Unavailable)
  assert.match(error.rawMessage, /no such host/)
  isKnown = true
  assert.equal(await read(calling), 'a')
})

test('sets a default deadline for unary calls only, and does not send a call past its deadline', async () => {
  const seen: (number | undefined)[] = []
  await using a = await startReplica({
    findExisting(_, call) {
      seen.push(call.timeoutMs())
      return {}
    },
    async *readData(_, call) {
      seen.push(call.timeoutMs())
      yield {}
    },
  })
  await using calling = callReplicas([a.url], { timeoutMs: 5000 })
  await read(calling)
  await allOf(calling.client.readData({}, actAsSystem()))
  const [unary = 0, stream] = seen
  assert.ok(unary > 0 && unary <= 5000, `${unary} ms`)
  assert.equal(stream, undefined)
  const late = calling.client.findExisting({}, { ...actAsSystem(), timeoutMs: 0 })
  assert.equal((await failureOf(late)).code, Code.DeadlineExceeded)
  assert.equal(seen.length, 2)
})
