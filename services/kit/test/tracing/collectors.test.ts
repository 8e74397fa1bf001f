import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { ConfigError, readSettings } from '../../src/config/index.js'
import type { Logger } from '../../src/log.js'
import { actAsSystem } from '../../src/rpc/index.js'
import { startCollector } from '../../src/testing/index.js'
import { inScope, readTracingSettings } from '../../src/tracing/index.js'
import { createTracing } from '../../src/tracing/otlp.js'
import { connect } from '../clients.js'
import { traceTo } from './open.js'

const settingsOf = (env: Record<string, string>) => readSettings(env, readTracingSettings)

test('sends the configured headers and attributes', async () => {
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

test('reports invalid settings without secrets', () => {
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

test('samples a ratio of the requests, the same in every process', async () => {
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

test('ignores an invalid traceparent', async () => {
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

/** A server that accepts connections and never responds. */
async function startSilentServer() {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

function tracingTo(endpoint: string, reported: object[], env: Record<string, string> = {}) {
  const log = { warn: (about: object) => void reported.push(about) } as unknown as Logger
  const settings = settingsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: '400',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_BSP_MAX_QUEUE_SIZE: '64',
    ...env,
  })
  return createTracing(settings, { serviceName: 'figbase-test', log })
}

test('logs one warning for an unresponsive collector, and shutdown does not wait', async () => {
  await using silentServer = await startSilentServer()
  const reported: object[] = []
  const tracing = tracingTo(silentServer.url, reported, { TRACES_FLUSH_TIMEOUT: '100ms' })
  const connected = once(silentServer.server, 'connection')
  for (let n = 0; n < 1000; n++) tracing.begin('request', 'server', {}).end()
  await connected
  const before = performance.now()
  await tracing[Symbol.asyncDispose]()
  const ms = performance.now() - before
  assert.ok(ms < 5000, `${ms} ms`)
  assert.ok(reported.length <= 1)
})

test('logs one warning for an unavailable collector, without secrets', async () => {
  const silentServer = await startSilentServer()
  await silentServer[Symbol.asyncDispose]()
  const reported: object[] = []
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=s3cret' }
  for (let n = 0; n < 3; n++) {
    const tracing = tracingTo(silentServer.url, reported, headers)
    tracing.begin('request', 'server', {}).end()
    await tracing[Symbol.asyncDispose]()
    assert.equal(reported.length, n + 1)
  }
  assert.match(JSON.stringify(reported), new RegExp(new URL(silentServer.url).host))
  assert.doesNotMatch(JSON.stringify(reported), /s3cret/)
})

test('serves calls while spans cannot be sent', async () => {
  await using silentServer = await startSilentServer()
  const gone = await startSilentServer()
  await gone[Symbol.asyncDispose]()
  for (const { url } of [silentServer, gone]) {
    const tracing = tracingTo(url, [], { TRACES_FLUSH_TIMEOUT: '1ms' })
    await using at = await connect('http2', { findExisting: ({ ids }) => ({ ids }) }, { tracing })
    for (let n = 0; n < 100; n++) {
      const span = tracing.begin('request', 'server', {})
      const call = () => at.client.findExisting({ ids: [String(n)] }, actAsSystem())
      assert.deepEqual((await inScope({ requestId: '', span }, call)).ids, [String(n)])
      span.end()
    }
    await tracing[Symbol.asyncDispose]()
  }
})
