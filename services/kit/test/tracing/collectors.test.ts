import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import {
  actAsSystem,
  ConfigError,
  inScope,
  readSettings,
  readTracingSettings,
} from '../../src/index.js'
import type { Logger } from '../../src/log.js'
import { startCollector } from '../../src/testing/index.js'
import { createTracing } from '../../src/tracing/otlp.js'
import { reach } from '../reach.js'
import { traceTo } from './open.js'

const settingsOf = (env: Record<string, string>) => readSettings(env, readTracingSettings)

test('the collector gets the headers and the attributes of the settings', async () => {
  await using collector = await startCollector()
  const tracing = await traceTo(collector.url, {
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20s3cret, x-tenant=ours',
    OTEL_SERVICE_NAME: 'plots',
  })
  tracing.begin('request', 'server', { 'http.route': '/x' }).end('500', { 'http.status': 500 })
  await tracing[Symbol.asyncDispose]()
  assert.equal(collector.headers[0]?.authorization, 'Bearer s3cret')
  assert.equal(collector.headers[0]?.['x-tenant'], 'ours')
  const [span] = collector.spans
  assert.equal(span?.process, 'plots')
  assert.deepEqual(span?.attributes, {
    'http.route': '/x',
    'http.status': '500',
    'error.type': '500',
  })
  assert.equal(span?.failed, true)
})

test('a malformed setting stops the start, and shows no secret', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 's3cret',
    OTEL_RESOURCE_ATTRIBUTES: 'a=%E0%A4%A',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
  }
  assert.throws(
    () => settingsOf(wrong),
    (error) => {
      assert.ok(error instanceof ConfigError)
      for (const name of Object.keys(wrong))
        assert.match(error.message, new RegExp(`^${name}`, 'm'))
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    },
  )
})

test('a ratio of requests is traced, and the same by every process', async () => {
  await using collector = await startCollector()
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  const tracing = await traceTo(collector.url, env)
  const count = 2000
  for (let n = 0; n < count; n++) {
    const span = tracing.begin('first', 'server', {})
    tracing.begin('second', 'server', {}, span.traceparent).end()
    span.end()
  }
  await tracing[Symbol.asyncDispose]()
  const traces = (name: string) =>
    new Set(collector.spans.filter((span) => span.name === name).map(({ traceId }) => traceId))
  assert.deepEqual(traces('first'), traces('second'))
  const part = traces('first').size / count
  assert.ok(part > 0.18 && part < 0.32, String(part))
})

test('a malformed traceparent counts as none', async () => {
  await using collector = await startCollector()
  const tracing = await traceTo(collector.url)
  const zeros = `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`
  for (const text of ['', 'x', zeros, `00-${'a'.repeat(32)}-${'1'.repeat(16)}-0`]) {
    tracing.begin('request', 'server', {}, text).end()
  }
  await tracing[Symbol.asyncDispose]()
  assert.deepEqual(
    collector.spans.map(({ parentId }) => parentId),
    ['', '', '', ''],
  )
})

/** A server that takes connections and never answers. */
async function startBlackHole() {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

function tracingTo(endpoint: string, told: object[], env: Record<string, string> = {}) {
  const log = { warn: (about: object) => void told.push(about) } as unknown as Logger
  const settings = settingsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: '400',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_BSP_MAX_QUEUE_SIZE: '64',
    ...env,
  })
  return createTracing(settings, { serviceName: 'figbase-test', log })
}

test('of a collector that does not answer one warning is written, and the stop does not wait', async () => {
  await using hole = await startBlackHole()
  const told: object[] = []
  const tracing = tracingTo(hole.url, told, { TRACES_FLUSH_TIMEOUT: '100ms' })
  const connected = once(hole.server, 'connection')
  for (let n = 0; n < 1000; n++) tracing.begin('request', 'server', {}).end()
  await connected
  const before = performance.now()
  await tracing[Symbol.asyncDispose]()
  const ms = performance.now() - before
  assert.ok(ms < 5000, `${ms} ms`)
  assert.ok(told.length <= 1)
})

test('of an unreachable collector one warning is written, which names it and no secret', async () => {
  const hole = await startBlackHole()
  await hole[Symbol.asyncDispose]()
  const told: object[] = []
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=s3cret' }
  for (let n = 0; n < 3; n++) {
    const tracing = tracingTo(hole.url, told, headers)
    tracing.begin('request', 'server', {}).end()
    await tracing[Symbol.asyncDispose]()
    assert.equal(told.length, n + 1)
  }
  assert.match(JSON.stringify(told), new RegExp(new URL(hole.url).host))
  assert.doesNotMatch(JSON.stringify(told), /s3cret/)
})

test('calls are answered though nothing that is traced of them can be sent', async () => {
  await using hole = await startBlackHole()
  const gone = await startBlackHole()
  await gone[Symbol.asyncDispose]()
  for (const { url } of [hole, gone]) {
    const tracing = tracingTo(url, [], { TRACES_FLUSH_TIMEOUT: '1ms' })
    await using at = await reach('http2', { findExisting: ({ ids }) => ({ ids }) }, { tracing })
    for (let n = 0; n < 100; n++) {
      const span = tracing.begin('request', 'server', {})
      const call = () => at.client.findExisting({ ids: [String(n)] }, actAsSystem())
      assert.deepEqual((await inScope({ requestId: '', span }, call)).ids, [String(n)])
      span.end()
    }
    await tracing[Symbol.asyncDispose]()
  }
})
