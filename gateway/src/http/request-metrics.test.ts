import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { readSettings } from '@figbase/kit/config'
import { openOperations } from '@figbase/kit/operations'
import { readConfig } from '../config.js'
import { pages } from '../pages/index.js'
import { closedPaths, endpoints } from '../routes/index.js'
import { measureRequests } from './request-metrics.js'
import { createRequestNamer } from './request-name.js'
import { createEndpointFinder, fullPath } from './router.js'

const cfg = readSettings({}, readConfig)
const nameOf = createRequestNamer(endpoints, pages)
const find = createEndpointFinder(endpoints, closedPaths, pages, cfg)

function request(method: string, url: string) {
  const req = Object.assign(new IncomingMessage(new Socket()), { method, url })
  return { req, res: new ServerResponse(req) }
}

type Measured = { method: string; route: string; status: number }

/** Measures requests and returns their labels. */
function measureAll(requests: [string, string][]): Measured[] {
  const measured: Measured[] = []
  const measure = measureRequests(nameOf, (method, route, status) => {
    measured.push({ method, route, status })
  })
  for (const [method, url] of requests) {
    const { req, res } = request(method, url)
    measure(req, res, find(req, res))
    res.emit('close')
  }
  return measured
}

const names = (measured: Measured[]) =>
  new Set(measured.map(({ method, route }) => `${method} ${route}`))

test('labels requests with their route, independent of the parameters', () => {
  const paths = [
    ...endpoints.map((endpoint) => ({ method: endpoint.method, path: fullPath(endpoint) })),
    ...pages.map(({ method, path }) => ({ method, path })),
  ]
  const of = (version: string, value: string) =>
    paths.map(({ method, path }): [string, string] => {
      const url = path
        .replace(':version', version)
        .replace(/:\w+(\([^)]*\))?/g, (_, pattern?: string) => (pattern ? '256' : value))
      return [method, url]
    })
  const once = measureAll(of('v1.4.1', 'abc'))
  const twice = measureAll([...of('v1.4.1', 'abc'), ...of('v1', 'def'), ...of('v1.2', 'Gh0')])
  assert.deepEqual(names(twice), names(once))
  const known = new Set(paths.map(({ method, path }) => `${method} ${path}`))
  assert.deepEqual(names(once), known)
})

test('adds no labels for unknown routes, pages and methods', () => {
  const urls = [
    '/',
    '/healthz?x=1',
    '/readyz',
    '/nothing',
    '/api',
    '/api/',
    '/api/v9/figure/',
    '/api/v1.4.1/nothing/here/',
    '/api/v1.4.1/figure/%22%7D%0Afigbase_http_requests_total%7B/x',
    '/api/v1.4.1/figure/"},route="x"} 1\n#/y',
    `/api/v1.4.1/${'a'.repeat(10_000)}`,
    '/__proto__',
    '/constructor',
    '//healthz',
    '*',
    '',
    'http://elsewhere.example.org/healthz',
    '/api/v1/%ff%fe',
    '/%',
  ]
  const methods = [
    'GET',
    'POST',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
    'CONNECT',
    'TRACE',
    'constructor',
    '',
  ]
  const measured = measureAll(
    methods.flatMap((method) => urls.map((url): [string, string] => [method, url])),
  )
  assert.equal(measured.length, methods.length * urls.length)
  const values = (name: 'method' | 'route') =>
    [...new Set(measured.map((each) => each[name]))].sort()
  assert.deepEqual(values('method'), ['DELETE', 'GET', 'OPTIONS', 'POST', 'other'])
  const known = new Set([...endpoints.map(fullPath), ...pages.map(({ path }) => path)])
  const unknown = values('route').filter((route) => !known.has(route))
  assert.deepEqual(unknown, ['/healthz', '/readyz', 'none'])
})

test('reports 499 if the client closes the connection before the response', () => {
  const measured: Measured[] = []
  const measure = measureRequests(nameOf, (method, route, status) => {
    measured.push({ method, route, status })
  })
  const { req, res } = request('GET', '/nothing')
  measure(req, res, undefined)
  res.destroy()
  res.emit('close')
  assert.deepEqual(measured, [{ method: 'GET', route: 'none', status: 499 }])
})

test('measures the time from the start of a request to the end of its response', (t) => {
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const measured: number[] = []
  const measure = measureRequests(nameOf, (_method, _route, _status, ms) => {
    measured.push(ms)
  })
  const { req, res } = request('GET', '/nothing')
  measure(req, res, undefined)
  now += 250
  assert.deepEqual(measured, [])
  res.emit('close')
  assert.deepEqual(measured, [250])
})

test('measures a request in less than 20 µs', async (t) => {
  const operations = await openOperations({ host: '127.0.0.1', port: 0, timeoutMs: 1000 })
  assert.ok(operations)
  await using _ = operations
  const measured = measureRequests(nameOf, operations.metrics.requestServed)
  const ids = Array.from({ length: 1000 }, (_, n) => `/api/v1.4.1/figure/${n}/`)
  const cost = (measure: typeof measured) => {
    const rounds = 100
    const run = () => {
      for (const url of ids) {
        const { req, res } = request('GET', url)
        measure(req, res, find(req, res))
        res.emit('close')
      }
    }
    for (let round = 0; round < 10; round++) run()
    const before = process.cpuUsage()
    for (let round = 0; round < rounds; round++) run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / (rounds * ids.length)
  }
  const unmeasured = cost(() => {})
  const each = cost(measured) - unmeasured
  t.diagnostic(`measuring a request: ${each.toFixed(2)} µs of CPU time`)
  assert.ok(each < 20, `${each} µs`)
})
