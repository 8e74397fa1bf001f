import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { actAs, anonymous } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { SearchType } from '@figbase/proto/search'
import { SearchUnavailable } from '../src/engine/port.js'
import { as, type Started, start } from './test-service.js'
import type { Thing } from './world.js'

let started: Started
let workspace: Thing
let analysis: Thing
before(async () => {
  started = await start()
  const { world } = started
  workspace = world.add(NodeType.WORKSPACE)
  analysis = world.add(NodeType.ANALYSIS, workspace)
  world.share('ann', workspace)
})
after(() => started[Symbol.asyncDispose]())

const newFigures = (name: string, count: number) =>
  Array.from({ length: count }, () => started.world.add(NodeType.FIGURE, analysis, { name }))

async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ConnectError, `expected a failure, got ${String(error)}`)
  return { code: error.code, detail: detailOf(error) }
}

test('a full page is found although the index is behind deletions', async () => {
  const { world, index, find } = started
  const figures = newFigures('turbine', 20)
  await index(...figures)
  const ids = figures.map(({ id }) => id).reverse()
  for (const figure of figures.slice(12)) figure.isDeleted = true
  assert.deepEqual(await find('ann', 'turbine', { limit: 5 }), ids.slice(8, 13))
  assert.equal((await find('ann', 'turbine')).length, 12)
  world.share('bob', figures[0] as Thing)
  assert.deepEqual(await find('bob', 'turbine'), [figures[0]?.id])
  assert.deepEqual(await find('eve', 'turbine'), [])
})

test('a moved or restored object is found before the index knows its place', async () => {
  const { world, index, find } = started
  const [figure] = newFigures('cyclotron', 1) as [Thing]
  figure.isDeleted = true
  await index(figure)
  assert.deepEqual(await find('ann', 'cyclotron'), [])
  figure.isDeleted = false
  world.recent.push(figure.id)
  assert.deepEqual(await find('ann', 'cyclotron'), [figure.id])
  const other = world.add(NodeType.WORKSPACE)
  figure.parent = world.add(NodeType.ANALYSIS, other)
  world.share('dan', other)
  assert.deepEqual(await find('dan', 'cyclotron'), [figure.id])
  assert.deepEqual(await find('dan', 'cyclotron', { workspaceId: workspace.id }), [])
  world.recent.pop()
})

test('a search costs two calls to catalog', async () => {
  const { world, index, find } = started
  await index(...newFigures('bolometer', 30))
  world.calls.clear()
  assert.equal((await find('ann', 'bolometer', { limit: 10 })).length, 10)
  assert.deepEqual(Object.fromEntries(world.calls), { listReadableRoots: 1, resolveNodes: 1 })
})

test('the maximum of results is 100 unless it is set, and 10 is the default', async () => {
  const { index, client } = started
  await index(...newFigures('gradient', 120))
  const request = { type: SearchType.KEYWORD, query: 'gradient' }
  for (const [limit, expected] of [
    [0, 10],
    [3, 3],
    [1000, 100],
  ] as const) {
    const { results, limit: used } = await client.search({ ...request, limit }, as('ann'))
    assert.deepEqual([results.length, used], [expected, expected])
  }
})

test('finds revisions by their metadata, in an analysis, and by type', async () => {
  const { world, index, find } = started
  const [figure] = newFigures('spectrometer', 1) as [Thing]
  const other = world.add(NodeType.ANALYSIS, workspace)
  const elsewhere = world.add(NodeType.FIGURE, other, { name: 'spectrometer' })
  const revision = (parent: Thing, instrument: string) =>
    world.add(NodeType.FIGURE_REVISION, parent, { metadata: { instrument, camera: { gain: 2 } } })
  const [a, b, c] = [
    revision(figure, 'Leica SP8'),
    revision(figure, 'other'),
    revision(elsewhere, 'Leica SP8'),
  ]
  await index(figure, elsewhere, a, b, c)
  const leica = { key: 'instrument', value: 'Leica SP8' }
  const gain = { key: 'camera.gain', value: '2' }
  const by = (metadata: object[], more = {}) => find('ann', '', { metadata, ...more })
  assert.deepEqual(await by([leica]), [c.id, a.id])
  assert.deepEqual(await by([leica, gain], { analysisId: other.id }), [c.id])
  assert.deepEqual(await by([gain], { analysisId: analysis.id.toUpperCase() }), [b.id, a.id])
  assert.deepEqual(await by([{ ...leica, value: 'leica sp8' }]), [], 'exactly this value')
  assert.deepEqual(await by([gain], { type: SearchType.TEXT, query: 'leica' }), [c.id, a.id])
  assert.deepEqual(await by([gain], { types: [NodeType.FIGURE] }), [])
  const typed = await find('ann', 'spectrometer', { types: [NodeType.FIGURE] })
  assert.deepEqual(typed, [elsewhere.id, figure.id])
  assert.deepEqual(await find('eve', '', { metadata: [leica] }), [])
  world.share('eve', a)
  assert.deepEqual(await find('eve', '', { metadata: [leica] }), [a.id])
  assert.deepEqual(await find('eve', '', { metadata: [leica], analysisId: analysis.id }), [a.id])
})

test('finds stale figures, however many others have the words', async () => {
  const { world, index, find } = started
  const figures = newFigures('chromatograph', 300)
  await index(...figures)
  const stale = [figures[0], figures[40], figures[280]] as Thing[]
  for (const figure of stale) figure.isStale = true
  const newestFirst = stale.map(({ id }) => id).reverse()
  world.calls.clear()
  assert.deepEqual(await find('ann', 'chromatograph', { onlyStale: true, limit: 3 }), newestFirst)
  assert.deepEqual(Object.fromEntries(world.calls), { listReadableRoots: 1, resolveNodes: 2 })
  const some = { type: SearchType.TEXT, onlyStale: true, limit: 2 }
  assert.deepEqual(await find('ann', 'chromatograph', some), newestFirst.slice(0, 2))
  assert.deepEqual(await find('eve', 'chromatograph', { onlyStale: true }), [])
})

test('rejects invalid requests, and names the member', async () => {
  const valid = { type: SearchType.KEYWORD, query: 'a' }
  for (const [request, field] of [
    [{ type: 0 }, 'search_type'],
    [{ type: 99 as SearchType }, 'search_type'],
    [{ query: '' }, 'query'],
    [{ query: 'x'.repeat(1001) }, 'query'],
    [{ limit: -1 }, 'k'],
    [{ workspaceId: 'x' }, 'workspace'],
    [{ analysisId: 'x' }, 'analysis'],
    [{ types: [NodeType.ORGANIZATION] }, 'types'],
    [{ metadata: Array(11).fill({ key: 'a', value: 'b' }) }, 'metadata'],
    [{ metadata: [{ key: '', value: 'b' }] }, 'metadata'],
    [{ metadata: [{ key: 'a'.repeat(201), value: 'b' }] }, 'metadata'],
    [{ metadata: [{ key: 'a', value: 'b'.repeat(501) }] }, 'metadata'],
    [{ type: SearchType.SEMANTIC, metadata: [{ key: 'a', value: 'b' }] }, 'metadata'],
    [{ type: SearchType.SEMANTIC, onlyStale: true }, 'is_stale'],
    [{ metadata: [{ key: 'a', value: 'b' }], onlyStale: true }, 'is_stale'],
    [{ types: [NodeType.ASSET], onlyStale: true }, 'is_stale'],
  ] as [object, string][]) {
    const call = started.client.search({ ...valid, ...request }, as('ann'))
    const { code, detail } = await failureOf(call)
    assert.equal(code, Code.InvalidArgument)
    assert.equal(detail?.fields[0]?.field, field)
  }
  const call = started.client.search(valid, actAs(anonymous))
  assert.equal((await failureOf(call)).code, Code.Unauthenticated)
})

test('the state of the index and its rebuild are for staff', async () => {
  for (const call of [
    started.client.getIndexState({}, as('ann')),
    started.client.startReindex({}, as('ann')),
  ])
    assert.equal((await failureOf(call)).code, Code.PermissionDenied)
})

test('answers search_unavailable while the engine cannot be reached', async () => {
  await using other = await start({
    prepare: (ctx) => ({
      ...ctx,
      engine: {
        ...ctx.engine,
        find: () => Promise.reject(new SearchUnavailable('connection refused')),
      },
    }),
  })
  const workspace = other.world.add(NodeType.WORKSPACE)
  other.world.share('ann', workspace)
  const { code, detail } = await failureOf(other.find('ann', 'anything'))
  assert.deepEqual([code, detail?.error], [Code.Unavailable, 'search_unavailable'])
})

test('limits the searches of a user in a minute', async () => {
  await using other = await start({ env: { SEARCHES_PER_MINUTE_MAX: '2' } })
  await other.find('ann', 'a')
  await other.find('ann', 'a')
  const { code, detail } = await failureOf(other.find('ann', 'a'))
  assert.deepEqual([code, detail?.error], [Code.ResourceExhausted, 'too_many_searches'])
  await other.find('bob', 'a')
})
