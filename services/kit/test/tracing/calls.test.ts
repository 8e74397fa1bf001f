import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { invalid } from '../../src/errors/index.js'
import { createLogger } from '../../src/log.js'
import { serveHttp2 } from '../../src/rpc/http2.js'
import { actAs, actAsSystem, connectPeers, forward, lazyClient, user } from '../../src/rpc/index.js'
import { serverInterceptor } from '../../src/rpc/interceptors.js'
import { type CollectedSpan, startCollector } from '../../src/testing/index.js'
import { inScope, type Tracing } from '../../src/tracing/index.js'
import { type Connected, callerKeys, connect, topologies } from '../clients.js'
import { failureOf } from '../failure-of.js'
import { traceTo } from './open.js'

const collector = await startCollector()
after(() => collector[Symbol.asyncDispose]())

const nothing = { requestId: '' }
const method = 'figbase.revisions.v1.RevisionsService'

/** The spans of one request by name; `work` runs in its scope. */
async function spansOf(work: (tracing: Tracing) => Promise<unknown>, env?: Record<string, string>) {
  const before = collector.spans.length
  const tracing = await traceTo(collector.url, env)
  const span = tracing.begin('request', 'server', {})
  await inScope({ requestId: 'r-1', span }, () => work(tracing))
  span.end()
  await tracing[Symbol.asyncDispose]()
  return { span, spans: collector.spans.slice(before) }
}

/** The chain of spans from the root; each must be the only child of the previous one. */
function chain(spans: CollectedSpan[]): CollectedSpan[] {
  const found: CollectedSpan[] = []
  for (let parentId = ''; ; ) {
    const [next, ...more] = spans.filter((span) => span.parentId === parentId)
    assert.deepEqual(more, [])
    if (!next) return found
    found.push(next)
    parentId = next.spanId
  }
}

for (const topology of topologies) {
  test(`${topology}: nested calls form one trace`, async () => {
    const { span, spans } = await spansOf(async (tracing) => {
      let again: Connected | undefined
      await using at = await connect(
        topology,
        {
          listRevisions: async (_, call) => {
            await again?.client.findExisting({ ids: ['x'] }, forward(call))
            return {}
          },
          findExisting: ({ ids }) => ({ ids }),
        },
        { tracing },
      )
      again = at
      await at.client.listRevisions({}, actAs(user('ann')))
    })
    const found = chain(spans)
    assert.deepEqual(
      found.map(({ name, kind }) => [name, kind]),
      [
        ['request', 2],
        [`${method}/ListRevisions`, 3],
        [`${method}/ListRevisions`, 2],
        [`${method}/FindExisting`, 3],
        [`${method}/FindExisting`, 2],
      ],
    )
    assert.equal(spans.length, found.length)
    assert.deepEqual([...new Set(spans.map(({ traceId }) => traceId))], [span.traceId])
    assert.ok(spans.every(({ failed }) => !failed))
  })

  test(`${topology}: traces a stream to its end`, async () => {
    const { spans } = await spansOf(async (tracing) => {
      let again: Connected | undefined
      await using at = await connect(
        topology,
        {
          async *readData(_, call) {
            yield {}
            await again?.client.findExisting({}, forward(call))
            yield {}
          },
          findExisting: () => ({}),
        },
        { tracing },
      )
      again = at
      for await (const _ of at.client.readData({}, actAsSystem())) {
        // Until its end.
      }
    })
    const names = chain(spans).map(({ name }) => name.slice(method.length + 1))
    assert.deepEqual(names.slice(1), ['ReadData', 'ReadData', 'FindExisting', 'FindExisting'])
  })

  test(`${topology}: marks failed spans without their message`, async () => {
    const { spans } = await spansOf(async (tracing) => {
      await using at = await connect(
        topology,
        {
          findExisting: () => {
            throw new Error('password=hunter2')
          },
          listRevisions: () => {
            throw invalid('token', 'hunter2 is none')
          },
        },
        { tracing },
      )
      await failureOf(at.client.findExisting({}, actAsSystem()))
      await failureOf(at.client.listRevisions({}, actAsSystem()))
    })
    const calls = spans.filter(({ name }) => name !== 'request')
    const reported = calls.map(({ name, kind, failed, attributes }) => {
      const code = attributes['rpc.connect_rpc.error_code'] ?? attributes['error.type']
      return [name.slice(method.length + 1), kind, failed, code]
    })
    assert.deepEqual(reported, [
      ['FindExisting', 2, true, 'Internal'],
      ['FindExisting', 3, true, 'Internal'],
      // A client error, not a server error.
      ['ListRevisions', 2, false, 'InvalidArgument'],
      ['ListRevisions', 3, true, 'InvalidArgument'],
    ])
    assert.ok(!collector.bytes.some((bytes) => bytes.includes('hunter2')))
  })

  test(`${topology}: sends no spans of unsampled traces, in any process`, async () => {
    const parents: (string | null)[] = []
    const { span, spans } = await spansOf(
      async (tracing) => {
        const findExisting = (_: unknown, { requestHeader }: { requestHeader: Headers }) => {
          parents.push(requestHeader.get('traceparent'))
          return {}
        }
        await using at = await connect(topology, { findExisting }, { tracing })
        await at.client.findExisting({}, actAsSystem())
      },
      { OTEL_TRACES_SAMPLER: 'always_off' },
    )
    assert.deepEqual(parents, [`00-${span.traceId}-${span.spanId}-00`])
    assert.deepEqual(spans, [])
  })

  test(`${topology}: does not trace a call outside of a trace`, async () => {
    const before = collector.spans.length
    const tracing = await traceTo(collector.url)
    await using at = await connect(topology, { findExisting: () => ({}) }, { tracing })
    await inScope(nothing, () => at.client.findExisting({}, actAsSystem()))
    await tracing[Symbol.asyncDispose]()
    assert.equal(collector.spans.length, before)
  })
}

test('a call of a client begins a new trace, whatever header it sends', async () => {
  const before = collector.spans.length
  const tracing = await traceTo(collector.url)
  const log = createLogger('test', 'silent')
  const server = await serveHttp2(
    [
      {
        routes: (router) => router.service(RevisionsService, { getRevision: () => ({}) }),
        interceptors: [serverInterceptor(callerKeys, log, {}, { tracing })],
        callerKeys,
        isHealthy: async () => true,
      },
    ],
    { host: '127.0.0.1', port: 0, shutdownTimeoutMs: 500 },
  )
  const urls = { revisions: [`http://127.0.0.1:${server.port}`] }
  const remote = connectPeers(urls, [])
  const stranger = lazyClient(RevisionsService, remote.transportTo)
  const traceId = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  for (const flags of ['00', '01']) {
    const traceparent = `00-${traceId}-bbbbbbbbbbbbbbbb-${flags}`
    await stranger.getRevision({}, { headers: { authorization: 'Token key-of-ann', traceparent } })
  }
  await remote[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await tracing[Symbol.asyncDispose]()
  const spans = collector.spans.slice(before)
  assert.equal(spans.length, 2)
  for (const span of spans) {
    assert.equal(span.parentId, '')
    assert.notEqual(span.traceId, traceId)
  }
})
