import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RevisionsService } from '@figbase/proto/revisions'
import { createLogger } from '../src/log.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { actAsSystem, connectPeers, lazyClient } from '../src/rpc/index.js'
import { clientInterceptor, serverInterceptor } from '../src/rpc/interceptors.js'
import { createAuthority, createTls } from './certificates.js'
import { callerKeys } from './clients.js'
import { callReplicas, startReplica } from './replica-servers.js'

function event() {
  let happen = () => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen, happened }
}

/** A handler that responds after `work`. */
async function serveSlowly(shutdownTimeoutMs: number) {
  const arrival = event()
  const work = event()
  const interceptors = [serverInterceptor(callerKeys, createLogger('test', 'silent'), {})]
  const server = await serveHttp2(
    [
      {
        routes: (router) =>
          router.service(RevisionsService, {
            findExisting: async (req) => {
              arrival.happen()
              await work.happened
              return { ids: req.ids }
            },
          }),
        interceptors,
        callerKeys,
        isHealthy: async () => true,
      },
    ],
    { host: '127.0.0.1', port: 0, shutdownTimeoutMs },
  )
  const urls = { revisions: [`http://127.0.0.1:${server.port}`] }
  const remote = connectPeers(urls, [clientInterceptor(callerKeys.peers)])
  return { server, remote, client: lazyClient(RevisionsService, remote.transportTo), arrival, work }
}

test('shutdown completes the calls in flight and refuses new ones', async () => {
  const { server, remote, client, arrival, work } = await serveSlowly(60_000)
  const inFlight = client.findExisting({ ids: ['a'] }, actAsSystem())
  await arrival.happened
  const stopped = server[Symbol.asyncDispose]()
  await assert.rejects(client.findExisting({ ids: ['b'] }, actAsSystem()))
  work.happen()
  assert.deepEqual((await inFlight).ids, ['a'])
  await stopped
  await remote[Symbol.asyncDispose]()
})

test('shutdown does not exceed its timeout', async () => {
  const { server, remote, client, arrival } = await serveSlowly(200)
  const inFlight = client.findExisting({}, { ...actAsSystem(), timeoutMs: 3000 })
  const failed = assert.rejects(inFlight)
  await arrival.happened
  const started = performance.now()
  await server[Symbol.asyncDispose]()
  assert.ok(performance.now() - started < 2000)
  await failed
  await remote[Symbol.asyncDispose]()
})

for (const how of ['without TLS', 'with TLS']) {
  test(`a caller that reads slowly receives the whole response of a server that stops, ${how}`, async () => {
    const options =
      how === 'with TLS' ? { tls: await createTls(await createAuthority('ours')) } : {}
    const chunk = { part: { case: 'chunk' as const, value: new Uint8Array(1000) } }
    const replica = await startReplica(
      {
        async *readData() {
          yield chunk
          await sleep(20)
          yield chunk
          yield chunk
        },
      },
      options,
    )
    await using calling = callReplicas([replica.url], options)
    let read = 0
    let stopped: PromiseLike<void> | undefined
    for await (const _ of calling.client.readData({}, actAsSystem())) {
      read++
      stopped ??= replica[Symbol.asyncDispose]()
      await sleep(100)
    }
    assert.equal(read, 3)
    await stopped
  })
}
