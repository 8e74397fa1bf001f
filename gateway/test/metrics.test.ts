import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { type Check, openOperations } from '@figbase/kit/operations'
import { parseExposition, sampleValue } from '@figbase/kit/testing'
import { IdentityService } from '@figbase/proto/identity'
import { authorization, startEdge } from './start-edge.js'
import { dial } from './wire.js'

const user = { username: 'ann', dateJoined: { seconds: 1n, nanos: 0 } }

async function startMeasured() {
  const operations = await openOperations({ host: '127.0.0.1', port: 0, timeoutMs: 1000 })
  assert.ok(operations)
  const peers = { getUser: () => ({ user }) }
  const edge = await startEdge(
    (router) => router.service(IdentityService, peers),
    {},
    operations,
    new Map<string, Check>([
      ['identity', async () => true],
      ['catalog', async () => false],
    ]),
  )
  const at = `http://127.0.0.1:${operations.port}`
  return {
    edge,
    operations,
    get: (path: string) => fetch(at + path),
    scrape: async () => parseExposition(await (await fetch(`${at}/metrics`)).text()),
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]()
      await operations[Symbol.asyncDispose]()
    },
  }
}

/** Sends the path unchanged; fetch would normalize it. */
function ask(port: number, method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, host: '127.0.0.1', agent: false }, (res) => {
      res.resume().once('close', () => resolve(res.statusCode ?? 0))
    })
    sent.once('error', reject).end()
  })
}

test('counts requests by route and status, and measures their duration', async () => {
  await using measured = await startMeasured()
  const { edge } = measured
  for (const version of ['v1', 'v1.4.1']) {
    const url = `${edge.url}/api/${version}/user/ann/`
    await (await fetch(url, { headers: authorization() })).text()
    await (await fetch(url)).text()
  }
  await (await fetch(`${edge.url}/healthz`)).text()
  const families = await measured.scrape()
  const route = '/api/:version/user/:username/'
  const count = (labels: Record<string, string>) =>
    sampleValue(families, 'figbase_http_requests_total', labels)
  assert.equal(count({ method: 'GET', route, status: '200' }), 2)
  assert.equal(count({ method: 'GET', route, status: '401' }), 2)
  assert.equal(count({ route: '/healthz', status: '200' }), 1)
  const seconds = families
    .get('figbase_http_request_duration_seconds')
    ?.samples.filter(({ labels }) => labels.route === route)
  const sum = seconds?.find(({ name }) => name.endsWith('_sum'))?.value ?? 0
  assert.ok(sum > 0 && sum < 60, `${sum} s`)
  assert.equal(seconds?.find(({ name }) => name.endsWith('_count'))?.value, 4)
})

test('adds no series for invalid requests, and shows none of their text', async () => {
  await using measured = await startMeasured()
  const { port } = measured.edge
  const strange: [string, string][] = [
    ['GET', '/api/v1/user/%22%7Dsecret%0A/x'],
    ['GET', '/secret"}{1}'],
    ['PROPFIND', '/secret'],
    ['OPTIONS', '/api/v1/user/secret/'],
    ['OPTIONS', '/api/v1/secret/'],
    ['HEAD', '/secret'],
    ['TRACE', '/api/v1/user/secret/'],
  ]
  for (let n = 0; n < 10; n++)
    strange.push(['GET', `/api/v1/secret-${n}/`], ['PUT', `/secret-${n}`])
  for (const [method, path] of strange) await ask(port, method, path)
  const wire = await dial(port)
  wire.write('SECRET /secret HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal((await wire.answer()).status, 400)
  const text = await (await measured.get('/metrics')).text()
  assert.doesNotMatch(text, /secret/i)
  const samples = parseExposition(text).get('figbase_http_requests_total')?.samples ?? []
  const sum = samples.reduce((all, { value }) => all + value, 0)
  assert.equal(sum, strange.length)
  assert.deepEqual(new Set(samples.map(({ labels }) => labels.route)), new Set(['none']))
  const methods = new Set(samples.map(({ labels }) => labels.method))
  assert.deepEqual(methods, new Set(['GET', 'PUT', 'HEAD', 'OPTIONS', 'other']))
})

test('reports unavailable services on the operations port', async () => {
  await using measured = await startMeasured()
  measured.operations.readiness.started()
  const ready = await measured.get('/readyz')
  assert.equal(ready.status, 200)
  const degraded = [{ name: 'catalog', why: 'does not answer' }]
  assert.deepEqual(await ready.json(), { status: 'ready', not_ready: [], degraded })
})
