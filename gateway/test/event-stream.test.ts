import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { ConnectRouter } from '@connectrpc/connect'
import { unauthenticated, unavailable } from '@figbase/kit/errors'
import { IdentityService } from '@figbase/proto/identity'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { TasksService } from '@figbase/proto/tasks'
import { authorization, startEdge } from './start-edge.js'

type Stand = { routes(router: ConnectRouter): unknown; disconnected: Promise<void> }

/** Event streams that begin and then stay silent until the client disconnects. */
function createSilentStreams(): Stand {
  let hangUp = () => {}
  const disconnected = new Promise<void>((resolve) => {
    hangUp = resolve
  })
  return {
    disconnected,
    routes: (router) =>
      router.service(TasksService, {
        async *followEvents({ after }, { signal }) {
          signal.addEventListener('abort', hangUp)
          yield { id: after || '7-7', event: { case: 'begun', value: { hasGap: false } } }
          await disconnected
        },
      }),
  }
}

const open = (url: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${url}/api/v1.4.1/events/`, { headers, method })

test('sends heartbeats, and ends the stream when the token expires', async () => {
  const streams = createSilentStreams()
  await using edge = await startEdge(streams.routes, { EVENT_HEARTBEAT: '100ms' })
  const began = Date.now()
  const response = await open(edge.url, { ...authorization(2000), 'last-event-id': '3-4' })
  const text = await response.text()
  assert.ok(Date.now() - began < 5000)
  assert.match(text, /^retry: 3000\n\nid: 3-4\nevent: begun\ndata: \{"has_gap":false\}\n\n/)
  const beats = text.split(': heartbeat\n\n').length - 1
  assert.ok(beats > 3, `${beats} heartbeats`)
  await streams.disconnected
})

test('ends the stream when its API key is deleted', async () => {
  const streams = createSilentStreams()
  const answers = ['good', 'good', 'unavailable']
  const identity = (router: ConnectRouter) =>
    router.service(IdentityService, {
      authenticateApiKey: () => {
        const answer = answers.shift()
        if (answer === 'unavailable') throw unavailable('unavailable')
        if (answer !== 'good') throw unauthenticated('authentication_failed', 'deleted')
        return { principal: { username: 'ann', apiKey: { id: 'key' } } }
      },
    })
  const routes = (router: ConnectRouter) => identity(streams.routes(router) as ConnectRouter)
  await using edge = await startEdge(routes, { EVENT_HEARTBEAT: '50ms' })
  const response = await open(edge.url, { authorization: 'Token any' })
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.equal(
    text.split(': heartbeat\n\n').length - 1,
    2,
    'one of them while identity was unavailable',
  )
  await streams.disconnected
})

test('pages follow events with the session of the browser, until its user signs out', async () => {
  const streams = createSilentStreams()
  const answers = [true, true]
  const signIn = (router: ConnectRouter) =>
    router.service(SignInService, {
      authenticateSession: () => {
        if (!answers.shift()) throw unauthenticated('not_authenticated', 'the session has ended')
        return { principal: { username: 'ann' } }
      },
    })
  const routes = (router: ConnectRouter) => signIn(streams.routes(router) as ConnectRouter)
  await using edge = await startEdge(routes, { EVENT_HEARTBEAT: '50ms' })
  const headers = { cookie: 'figbase-session=any' }
  const response = await fetch(`${edge.url}/events/`, { headers })
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.match(text, /event: begun/)
  assert.equal(text.split(': heartbeat\n\n').length - 1, 1)
  await streams.disconnected
  assert.equal((await fetch(`${edge.url}/events/`, { headers })).status, 401)
  assert.equal((await fetch(`${edge.url}/events/`)).status, 401)
  // The API ignores the cookie.
  assert.equal((await open(edge.url, headers)).status, 401)
})

test('ends the RPC when the client disconnects', async () => {
  const streams = createSilentStreams()
  await using edge = await startEdge(streams.routes)
  const response = await open(edge.url, authorization())
  await response.body?.cancel()
  await streams.disconnected
})

test('a shutdown ends streams at once and cleanly', async () => {
  const streams = createSilentStreams()
  const edge = await startEdge(streams.routes)
  const response = await open(edge.url, authorization())
  const began = Date.now()
  await edge[Symbol.asyncDispose]()
  assert.match(await response.text(), /event: begun/)
  assert.ok(Date.now() - began < 5000)
  await streams.disconnected
})

test('an unused connection does not delay the shutdown', async () => {
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

test('HEAD sends the headers of GET, and ends', async () => {
  const streams = createSilentStreams()
  await using edge = await startEdge(streams.routes)
  const response = await open(edge.url, authorization(), 'HEAD')
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  await streams.disconnected
})
