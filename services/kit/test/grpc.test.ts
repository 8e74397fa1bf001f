import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { status } from '@grpc/grpc-js'
import { denied, invalid } from '../src/errors/index.js'
import { keysFrom, signAccessToken } from '../src/keys/index.js'
import { createRequestLimiter, openLimits } from '../src/limits/index.js'
import { createLogger } from '../src/log.js'
import type { CallerKeys } from '../src/rpc/caller.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import {
  callerAddress,
  keyedRequest,
  onlyWorkspace,
  principal,
  type ReadApiKey,
  requestId,
  system,
  user,
} from '../src/rpc/index.js'
import { serverInterceptor } from '../src/rpc/interceptors.js'
import { signPrincipal } from '../src/rpc/principal.js'
import { createGrpcClient, type GrpcClient, grpcFailureOf } from '../src/testing/grpc.js'
import { callerKeys } from './clients.js'

const tokenOf = (username: string, isStaff = false, key = callerKeys.tokens, lifeMs = 60_000) =>
  signAccessToken({ username, isStaff, generation: 0 }, key, lifeMs)

async function serve(
  handlers: Partial<ServiceImpl<typeof RevisionsService>>,
  keys: CallerKeys = callerKeys,
) {
  const served = {
    routes: (router: ConnectRouter) => router.service(RevisionsService, handlers),
    interceptors: [serverInterceptor(keys, createLogger('test', 'silent'), {})],
    callerKeys: keys,
    isHealthy: async () => true,
  }
  const address = { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 10_000 }
  const server = await serveHttp2([served], address)
  const file = 'figbase/revisions/v1/revisions.proto'
  const clients: GrpcClient[] = []
  return {
    stop: () => server[Symbol.asyncDispose](),
    as(token?: string) {
      const name = 'figbase.revisions.v1.RevisionsService'
      const client = createGrpcClient(server.port, file, name, token)
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client[Symbol.dispose]()
      await this.stop()
    },
  }
}

/** Handlers that return the caller; clients may call `getRevision` but not `findExisting`. */
function telling() {
  const calls: string[] = []
  const handlers: Partial<ServiceImpl<typeof RevisionsService>> = {
    getRevision: (_, call) => {
      const { username, isStaff, isSystem } = principal(call)
      calls.push(`${username} ${isStaff} ${isSystem}`)
      return { revision: { id: requestId(call), createdBy: username } }
    },
    findExisting: () => {
      calls.push('findExisting')
      return { ids: ['a'] }
    },
  }
  return { calls, handlers }
}

test('authenticates by bearer token, like REST', async () => {
  const { calls, handlers } = telling()
  await using at = await serve(handlers)
  const reply = await at.as(tokenOf('ann')).unary('GetRevision', {})
  assert.equal((reply.revision as { createdBy: string }).createdBy, 'ann')
  await at.as(tokenOf('bob', true)).unary('GetRevision', {})
  assert.deepEqual(calls, ['ann false false', 'bob true false'])
})

test('authenticates by API key, with one call to identity', async () => {
  const { handlers } = telling()
  let asked = 0
  const readApiKey: ReadApiKey = (token, address) => {
    asked++
    return callerKeys.readApiKey(token, address)
  }
  const bounds: unknown[] = []
  const getRevision: typeof handlers.getRevision = (_, call) => {
    bounds.push([principal(call).username, onlyWorkspace(call)])
    return {}
  }
  await using at = await serve({ ...handlers, getRevision }, { ...callerKeys, readApiKey })
  const metadata = { authorization: 'Token key-of-ann' }
  await at.as().unary('GetRevision', {}, { metadata })
  assert.deepEqual(bounds, [['ann', 'here']])
  assert.equal(asked, 1)
  const failure = await grpcFailureOf(at.as().unary('FindExisting', {}, { metadata }))
  assert.equal(failure.code, status.PERMISSION_DENIED, 'not open to clients')
})

test('takes the client address from the socket, not from headers', async () => {
  const { handlers } = telling()
  const seen: string[] = []
  const getRevision: typeof handlers.getRevision = (_, call) => {
    seen.push(callerAddress(call))
    return {}
  }
  const readApiKey: ReadApiKey = (token, address) => {
    seen.push(`key from ${address}`)
    return callerKeys.readApiKey(token, address)
  }
  await using at = await serve({ ...handlers, getRevision }, { ...callerKeys, readApiKey })
  const lie = { 'figbase-client-address': '192.0.2.1', 'x-forwarded-for': '192.0.2.1' }
  await at.as(tokenOf('ann')).unary('GetRevision', {}, { metadata: lie })
  const metadata = { ...lie, authorization: 'Token key-of-ann' }
  await at.as().unary('GetRevision', {}, { metadata })
  assert.deepEqual(seen, ['127.0.0.1', 'key from 127.0.0.1', '127.0.0.1'])
})

test('rate limits a client with a retry delay, like REST; others continue', async () => {
  const { calls, handlers } = telling()
  const log = createLogger('test', 'silent')
  await using limits = await openLimits('', { service: 'test', keys: keysFrom('secret'), log })
  const requests = createRequestLimiter(limits, 3)
  await using at = await serve(handlers, { ...callerKeys, requests })
  const ask = (username: string) => at.as(tokenOf(username)).unary('GetRevision', {})
  for (let n = 0; n < 3; n++) await ask('ann')
  const failure = await grpcFailureOf(ask('ann'))
  assert.equal(failure.code, status.RESOURCE_EXHAUSTED)
  assert.equal(failure.error, 'too_many_requests')
  await ask('bob')
  assert.equal(calls.length, 4)
})

test('refuses every call without credentials', async () => {
  const { calls, handlers } = telling()
  await using at = await serve(handlers)
  const failure = await grpcFailureOf(at.as().unary('GetRevision', {}))
  assert.equal(failure.code, status.UNAUTHENTICATED)
  assert.equal(failure.error, 'not_authenticated')
  assert.deepEqual(calls, [])
})

const refusedCredentials = {
  'an unknown API key': ['Token abc', 'authentication_failed'],
  'a token of another installation': [
    `Bearer ${tokenOf('ann', true, callerKeys.peers)}`,
    'token_not_valid',
  ],
  'an expired token': [
    `Bearer ${tokenOf('ann', false, callerKeys.tokens, -10_000)}`,
    'token_not_valid',
  ],
  'a scheme that is none': ['Basic YTpi', 'authentication_failed'],
  'nothing after the scheme': ['Bearer', 'authentication_failed'],
  'two tokens': [`Bearer ${tokenOf('ann')}, Bearer x`, 'authentication_failed'],
} as const

for (const [what, [authorization, error]] of Object.entries(refusedCredentials)) {
  test(`${what}: refused`, async () => {
    const { calls, handlers } = telling()
    await using at = await serve(handlers)
    const call = at.as().unary('GetRevision', {}, { metadata: { authorization } })
    const failure = await grpcFailureOf(call)
    assert.deepEqual([failure.code, failure.error], [status.UNAUTHENTICATED, error])
    assert.deepEqual(calls, [])
  })
}

test('refuses a principal without a valid signature, also with a valid token', async () => {
  const { calls, handlers } = telling()
  await using at = await serve(handlers)
  for (const forged of [
    signPrincipal(system, callerKeys.tokens),
    tokenOf('ann', true),
    'nonsense',
    '',
  ]) {
    const metadata = { 'figbase-principal': forged }
    const call = at.as(tokenOf('ann')).unary('GetRevision', {}, { metadata })
    const failure = await grpcFailureOf(call)
    assert.deepEqual([failure.code, failure.error], [status.UNAUTHENTICATED, 'not_authenticated'])
  }
  assert.deepEqual(calls, [])
})

test('refuses internal RPCs to clients, including staff', async () => {
  const { calls, handlers } = telling()
  await using at = await serve(handlers)
  const failure = await grpcFailureOf(at.as(tokenOf('root', true)).unary('FindExisting', {}))
  assert.deepEqual([failure.code, failure.error], [status.PERMISSION_DENIED, 'permission_denied'])
  assert.deepEqual(calls, [])
  const metadata = { 'figbase-principal': signPrincipal(user('ann'), callerKeys.peers) }
  assert.deepEqual(await at.as().unary('FindExisting', {}, { metadata }), { ids: ['a'] })
})

test('ignores the request id of a client', async () => {
  await using at = await serve(telling().handlers)
  const metadata = { 'figbase-request-id': 'chosen' }
  const reply = await at.as(tokenOf('ann')).unary('GetRevision', {}, { metadata })
  assert.match((reply.revision as { id: string }).id, /^[0-9a-f-]{36}$/)
})

test('ignores the keyed request of a client, and reads that of a peer', async () => {
  const seen: string[] = []
  await using at = await serve({
    getRevision: (_, call) => {
      seen.push(keyedRequest(call))
      return {}
    },
  })
  const metadata = { 'figbase-keyed-request': 'chosen' }
  await at.as(tokenOf('ann')).unary('GetRevision', {}, { metadata })
  const signed = { 'figbase-principal': signPrincipal(user('ann'), callerKeys.peers) }
  await at.as().unary('GetRevision', {}, { metadata: { ...metadata, ...signed } })
  assert.deepEqual(seen, ['', 'chosen'])
})

test('returns the typed detail in the status details', async () => {
  await using at = await serve({
    getRevision: () => {
      throw invalid('data[2].type', 'is 100%, not\n a type – at/all')
    },
  })
  const failure = await grpcFailureOf(at.as(tokenOf('ann')).unary('GetRevision', {}))
  assert.deepEqual(failure, {
    code: status.INVALID_ARGUMENT,
    message: 'data[2].type: is 100%, not\n a type – at/all',
    error: 'invalid_request',
    fields: [{ field: 'data[2].type', reason: 'is 100%, not\n a type – at/all' }],
  })
})

test('hides the message of an unknown error', async () => {
  await using at = await serve({
    getRevision: () => {
      throw new Error('hunter2')
    },
  })
  const failure = await grpcFailureOf(at.as(tokenOf('ann')).unary('GetRevision', {}))
  assert.equal(failure.code, status.INTERNAL)
  assert.doesNotMatch(JSON.stringify(failure), /hunter/)
})

test('passes metadata in both directions', async () => {
  await using at = await serve({
    async *readData(_, call) {
      call.responseHeader.set('figure-color', call.requestHeader.get('my-color') ?? '')
      call.responseTrailer.set('figure-end', 'reached')
      yield { part: { case: 'chunk' as const, value: new Uint8Array(3) } }
    },
  })
  const call = at
    .as(tokenOf('ann'))
    .serverStream('ReadData', {}, { metadata: { 'my-color': 'blue' } })
  const seen: unknown[] = []
  call.on('metadata', (metadata) => seen.push(...metadata.get('figure-color')))
  call.on('status', ({ metadata }) => seen.push(...metadata.get('figure-end')))
  const ended = new Promise((resolve) => call.on('status', resolve))
  const sizes: number[] = []
  for await (const { chunk } of call) sizes.push((chunk as Buffer).length)
  await ended
  assert.deepEqual(sizes, [3])
  assert.deepEqual(seen, ['blue', 'reached'])
})

test('responds at the deadline and aborts the handler', async () => {
  let reported: () => void = () => {}
  const aborted = new Promise<void>((resolve) => {
    reported = resolve
  })
  await using at = await serve({
    getRevision: async (_, call) => {
      assert.ok((call.timeoutMs() ?? 0) > 0)
      call.signal.addEventListener('abort', reported)
      if (call.signal.aborted) reported()
      await sleep(60_000, undefined, { ref: false })
      return {}
    },
  })
  const started = performance.now()
  const deadline = Date.now() + 1000
  const call = at.as(tokenOf('ann')).unary('GetRevision', {}, { deadline })
  assert.equal((await grpcFailureOf(call)).code, status.DEADLINE_EXCEEDED)
  assert.ok(performance.now() - started < 10_000)
  await aborted
})

test('receives a client stream, and delivers an early refusal to a client that is still sending', async () => {
  await using at = await serve({
    async createRevision(parts, call) {
      if (principal(call).username !== 'ann') throw denied('CREATE')
      let bytes = 0
      for await (const { part } of parts) if (part.case === 'chunk') bytes += part.value.length
      return { revision: { sizeBytes: BigInt(bytes) } }
    },
  })
  const chunks = (count: number) =>
    Array.from({ length: count }, () => ({ chunk: Buffer.alloc(64 * 1024) }))
  const reply = await at.as(tokenOf('ann')).clientStream('CreateRevision', chunks(50))
  assert.equal((reply.revision as { sizeBytes: string }).sizeBytes, String(50 * 65_536))
  const call = at.as(tokenOf('bob')).clientStream('CreateRevision', chunks(200))
  const failure = await grpcFailureOf(call)
  assert.deepEqual([failure.code, failure.error], [status.PERMISSION_DENIED, 'permission_denied'])
})

const sendingAfterRefusal: Record<string, () => AsyncGenerator<object>> = {
  async *'sends on'() {
    for (;;) yield { chunk: Buffer.alloc(64 * 1024) }
  },
  async *'does nothing'() {
    yield { chunk: Buffer.alloc(64 * 1024) }
    await new Promise(() => {})
  },
  async *'has sent all'() {
    for (let n = 0; n < 3; n++) yield { chunk: Buffer.alloc(64 * 1024) }
  },
}

for (const [what, parts] of Object.entries(sendingAfterRefusal)) {
  test(`closes the stream of a refused client that ${what}`, async () => {
    const at = await serve({
      async createRevision(parts) {
        for await (const _ of parts) throw denied('CREATE')
        return {}
      },
    })
    const client = at.as(tokenOf('ann'))
    const calls = Array.from({ length: 10 }, () =>
      grpcFailureOf(client.clientStream('CreateRevision', parts())),
    )
    for (const { code, error } of await Promise.all(calls)) {
      assert.deepEqual([code, error], [status.PERMISSION_DENIED, 'permission_denied'])
    }
    const started = performance.now()
    await at.stop()
    const ms = performance.now() - started
    assert.ok(ms < 3000, `shutdown took ${Math.round(ms)} ms`)
    await at[Symbol.asyncDispose]()
  })
}

test('sends a refusal before the reset of a stream, also on a saturated connection', async () => {
  await using at = await serve({
    async createRevision(parts) {
      for await (const _ of parts) throw denied('CREATE')
      return {}
    },
    async *readData() {
      for (;;) yield { part: { case: 'chunk' as const, value: new Uint8Array(256 * 1024) } }
    },
  })
  const client = at.as(tokenOf('ann'))
  const downloads = Array.from({ length: 4 }, () => client.serverStream('ReadData', {}))
  for (const download of downloads) download.on('error', () => {}).resume()
  const parts = sendingAfterRefusal['sends on']
  for (let n = 0; n < 20; n++) {
    const failure = await grpcFailureOf(client.clientStream('CreateRevision', parts?.() ?? []))
    assert.equal(failure.error, 'permission_denied')
  }
  for (const download of downloads) download.cancel()
})

test('sends a server stream, and ends its handler when the client cancels', async () => {
  let left: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    left = resolve
  })
  await using at = await serve({
    async *readData({ id }) {
      try {
        for (let n = 0; id === 'endless' || n < 50; n++) {
          yield { part: { case: 'chunk' as const, value: new Uint8Array(64 * 1024) } }
        }
      } finally {
        if (id === 'endless') left()
      }
    },
  })
  const client = at.as(tokenOf('ann'))
  let bytes = 0
  for await (const { chunk } of client.serverStream('ReadData', {})) {
    bytes += (chunk as Buffer).length
  }
  assert.equal(bytes, 50 * 65_536)
  const endless = client.serverStream('ReadData', { id: 'endless' })
  endless.once('data', () => endless.cancel())
  await new Promise((resolve) => endless.once('error', resolve))
  await ended
})
