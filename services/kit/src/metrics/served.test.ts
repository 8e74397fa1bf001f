import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CatalogService } from '@figbase/proto/catalog'
import { parseExposition, sampleValue } from '../testing/exposition.js'
import { createMetrics } from './create.js'

test('records requests and calls in seconds with their labels', async () => {
  using metrics = createMetrics(1000)
  const { requestServed } = metrics
  const callServed = metrics.callServed('catalog')
  requestServed('GET', '/api/:version/figure/:id', 200, 30)
  requestServed('GET', '/api/:version/figure/:id', 404, 2000)
  callServed(CatalogService.method.getNode, 'NotFound', 7)
  const families = parseExposition(await metrics.text())
  const route = { method: 'GET', route: '/api/:version/figure/:id' }
  const method = { service: 'catalog', method: 'CatalogService/GetNode' }
  const of = (name: string, labels: Record<string, string>) => {
    const sample = families
      .get(name.replace(/_(bucket|sum|count)$/, ''))
      ?.samples.find((each) => each.name === name && contains(each.labels, labels))
    return sample?.value
  }
  assert.equal(sampleValue(families, 'figbase_http_requests_total', { ...route, status: '404' }), 1)
  assert.equal(of('figbase_http_request_duration_seconds_sum', route), 2.03)
  assert.equal(of('figbase_http_request_duration_seconds_bucket', { ...route, le: '0.05' }), 1)
  assert.equal(of('figbase_http_request_duration_seconds_bucket', { ...route, le: '2.5' }), 2)
  assert.equal(sampleValue(families, 'figbase_rpc_calls_total', { ...method, code: 'NotFound' }), 1)
  assert.equal(of('figbase_rpc_call_duration_seconds_sum', method), 0.007)
})

test('all Figbase metrics have a help text and a unit in their name', async () => {
  using metrics = createMetrics(1000)
  const families = [...parseExposition(await metrics.text())].filter(([name]) =>
    name.startsWith('figbase_'),
  )
  assert.equal(families.length, 15)
  for (const [name, { type, help }] of families) {
    assert.ok(help.length > 10, name)
    assert.equal(type === 'counter', name.endsWith('_total'), name)
    if (type === 'histogram') assert.match(name, /_seconds$/)
  }
})

test('recording a request or a call takes less than 10 µs', async (t) => {
  using metrics = createMetrics(1000)
  const { requestServed } = metrics
  const callServed = metrics.callServed('catalog')
  const routes = Array.from({ length: 200 }, (_, n) => `/api/:version/thing-${n}/:id/`)
  const methods = Object.values(CatalogService.method)
  const cost = (run: (n: number) => void) => {
    for (let n = 0; n < 50_000; n++) run(n)
    const rounds = 500_000
    const before = process.cpuUsage()
    for (let n = 0; n < rounds; n++) run(n)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / rounds
  }
  const request = cost((n) => requestServed('GET', routes[n % 200] ?? '', 200, n % 100))
  const call = cost((n) =>
    callServed(methods[n % methods.length] ?? CatalogService.method.getNode, 'Ok', n % 10),
  )
  t.diagnostic(
    `to tell of a request: ${request.toFixed(2)} µs of CPU, of a call: ${call.toFixed(2)}`,
  )
  assert.ok(request < 10 && call < 10, `${request} µs, ${call} µs`)
})

const contains = (labels: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)
