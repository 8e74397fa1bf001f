import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { actAsSystem, connectNeighbours, lazyClient } from '../src/index.js'
import { createLogger } from '../src/log.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { clientInterceptor, serverInterceptor } from '../src/rpc/interceptors.js'
import { callerKeys } from './reach.js'

function event() {
  let happen = () => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen, happened }
}

/** Answers when `work` has happened. */
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
  const remote = connectNeighbours(urls, [clientInterceptor(callerKeys.peers)])
  return { server, remote, client: lazyClient(RevisionsService, remote.transportTo), arrival, work }
}

test('a stop answers the calls in flight and refuses new ones', async () => {
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

test('a stop does not wait longer than it may', async () => {
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
