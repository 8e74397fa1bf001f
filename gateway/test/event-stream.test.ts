import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { ConnectRouter } from '@connectrpc/connect'
import { unauthenticated, unavailable } from '@figbase/kit'
import { IdentityService } from '@figbase/proto/identity'
import { TasksService } from '@figbase/proto/tasks'
import { authorization, startEdge } from './edge.js'

type Stand = { routes(router: ConnectRouter): unknown; hungUp: Promise<void> }

/** Follows that begin and then are silent until the caller has gone. */
function silence(): Stand {
  let hangUp = () => {}
  const hungUp = new Promise<void>((resolve) => {
    hangUp = resolve
  })
  return {
    hungUp,
    routes: (router) =>
      router.service(TasksService, {
        async *followEvents({ after }, { signal }) {
          signal.addEventListener('abort', hangUp)
          yield { id: after || '7-7', event: { case: 'begun', value: { hasGap: false } } }
          await hungUp
        },
      }),
  }
}

const open = (url: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${url}/api/v1.4.1/events/`, { headers, method })

test('a stream is kept alive by heartbeats, and ends when the token does', async () => {
  const stand = silence()
  await using edge = await startEdge(stand.routes, { EVENT_HEARTBEAT: '100ms' })
  const began = Date.now()
  const response = await open(edge.url, { ...authorization(2000), 'last-event-id': '3-4' })
  const text = await response.text()
  assert.ok(Date.now() - began < 5000)
  assert.match(text, /^retry: 3000\n\nid: 3-4\nevent: begun\ndata: \{"has_gap":false\}\n\n/)
  const beats = text.split(': heartbeat\n\n').length - 1
  assert.ok(beats > 3, `${beats} heartbeats`)
  await stand.hungUp
})

test('a stream that was opened with an API key ends when that is deleted', async () => {
  const stand = silence()
  const answers = ['good', 'good', 'away']
  const identity = (router: ConnectRouter) =>
    router.service(IdentityService, {
      authenticateApiKey: () => {
        const answer = answers.shift()
        if (answer === 'away') throw unavailable('away for a moment')
        if (answer !== 'good') throw unauthenticated('authentication_failed', 'deleted')
        return { principal: { username: 'ann', apiKey: { id: 'key' } } }
      },
    })
  const routes = (router: ConnectRouter) => identity(stand.routes(router) as ConnectRouter)
  await using edge = await startEdge(routes, { EVENT_HEARTBEAT: '50ms' })
  const response = await open(edge.url, { authorization: 'Token any' })
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.equal(text.split(': heartbeat\n\n').length - 1, 2, 'one of them while nobody could tell')
  await stand.hungUp
})

test('who hangs up is followed no longer', async () => {
  const stand = silence()
  await using edge = await startEdge(stand.routes)
  const response = await open(edge.url, authorization())
  await response.body?.cancel()
  await stand.hungUp
})

test('a stop ends streams at once, and properly', async () => {
  const stand = silence()
  const edge = await startEdge(stand.routes)
  const response = await open(edge.url, authorization())
  const began = Date.now()
  await edge[Symbol.asyncDispose]()
  assert.match(await response.text(), /event: begun/)
  assert.ok(Date.now() - began < 5000)
  await stand.hungUp
})

test('a connection that was opened ahead of need does not delay a stop', async () => {
  const edge = await startEdge(() => {})
  const socket = connect(edge.port, '127.0.0.1')
  await once(socket, 'connect')
  await (await fetch(`${edge.url}/healthz`)).text()
  const began = Date.now()
  const ended = once(socket, 'close')
  await edge[Symbol.asyncDispose]()
  assert.ok(Date.now() - began < 5000)
  await ended
})

test('a HEAD tells what a GET would send, and ends', async () => {
  const stand = silence()
  await using edge = await startEdge(stand.routes)
  const response = await open(edge.url, authorization(), 'HEAD')
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  await stand.hungUp
})
