import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RevisionsService } from '@figbase/proto/revisions'
import { actAsSystem, connectNeighbours, lazyClient } from '../src/index.js'
import { createLogger } from '../src/log.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { clientInterceptor, serverInterceptor } from '../src/rpc/interceptors.js'
import { callerKeys } from './reach.js'

async function serveSlowly(workMs: number, shutdownTimeoutMs: number) {
  const interceptors = [serverInterceptor(callerKeys, createLogger('test', 'silent'), {})]
  const server = await serveHttp2(
    [
      {
        routes: (router) =>
          router.service(RevisionsService, {
            findExisting: async (req) => {
              await sleep(workMs, undefined, { ref: false })
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
  return { server, remote, client: lazyClient(RevisionsService, remote.transportTo) }
}

test('a stop answers the calls in flight and refuses new ones', async () => {
  const { server, remote, client } = await serveSlowly(300, 5000)
  const inFlight = client.findExisting({ ids: ['a'] }, actAsSystem())
  await sleep(100)
  const stopped = server[Symbol.asyncDispose]()
  assert.deepEqual((await inFlight).ids, ['a'])
  await stopped
  await assert.rejects(client.findExisting({ ids: ['b'] }, actAsSystem()))
  await remote[Symbol.asyncDispose]()
})

test('a stop does not wait longer than it may', async () => {
  const { server, remote, client } = await serveSlowly(60_000, 200)
  const inFlight = client.findExisting({}, { ...actAsSystem(), timeoutMs: 3000 })
  const failed = assert.rejects(inFlight)
  await sleep(100)
  const started = performance.now()
  await server[Symbol.asyncDispose]()
  assert.ok(performance.now() - started < 2000)
  await failed
  await remote[Symbol.asyncDispose]()
})
