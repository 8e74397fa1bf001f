import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Permission } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  eve,
  FIGURE,
  FIGURE_REVISION,
  get,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  WORKSPACE,
} from './bench.js'
import { type Generated, generate } from './generated.js'

type Place = { bench: Bench; made: Generated; revisions: string[] }

const nodesSmall = 10_000
const nodesLarge = 1_000_000
const samples = 1500
const growthMax = 1.5
/** As many as each workspace of the smaller tree has: one more is read. */
const figuresOfPage = 9

let small: Place
let large: Place
before(async () => {
  small = await open(nodesSmall)
  large = await open(nodesLarge)
})
after(async () => {
  await small.bench[Symbol.asyncDispose]()
  await large.bench[Symbol.asyncDispose]()
})

async function open(nodes: number): Promise<Place> {
  const bench = await startBench()
  const made = await generate(bench, nodes)
  // Ids are random: the least are from anywhere.
  const rows = await bench.query<{ id: string }>(
    `select id from node where type = 'figure_revision' order by id limit ${samples}`,
  )
  return { bench, made, revisions: rows.map((row) => row.id) }
}

const calls: Record<string, (place: Place, at: number) => Promise<unknown>> = {
  'permission of the owner': ({ bench, revisions }, at) =>
    bench.client.checkAccess({ id: revisions[at] ?? '', permission: Permission.VIEW }, ada),
  'refusal of a stranger': ({ bench, revisions }, at) =>
    bench.client
      .checkAccess({ id: revisions[at] ?? '', permission: Permission.VIEW }, eve)
      .catch(() => undefined),
  'one node with its sums': ({ bench, revisions }, at) =>
    bench.client.getNode({ id: revisions[at] ?? '' }, ada),
  "the owner's workspaces": ({ bench }) => bench.client.listNodes({ type: WORKSPACE }, ada),
  'workspaces of a member of the organization': ({ bench }) =>
    bench.client.listNodes({ type: WORKSPACE }, bob),
  'the organization with its sums': ({ bench, made }) =>
    get(bench, { id: made.organization, type: ORGANIZATION }),
  'a page of all figures': ({ bench }) =>
    bench.client.listNodes({ type: FIGURE, pageSize: figuresOfPage }, ada),
  'what is shared': ({ bench }) => bench.client.listNodes({ type: FIGURE_REVISION }, eve),
}

for (const [name, call] of Object.entries(calls)) {
  const times = { small: [] as number[], large: [] as number[] }
  test(`${name}: no more for ${nodesLarge} nodes than for ${nodesSmall}`, async (t) => {
    const warmUp = 100
    // In turn, so that what else the machine does counts for both.
    for (let at = 0; at < samples; at++) {
      for (const [place, taken] of [
        [small, times.small],
        [large, times.large],
      ] as const) {
        const started = performance.now()
        await call(place, at)
        if (at >= warmUp) taken.push(performance.now() - started)
      }
    }
    const growth = report(t, name, times)
    assert.ok(growth <= growthMax, `p99 grew by ${growth}`)
  })
}

function report(
  t: TestContext,
  name: string,
  { small, large }: { small: number[]; large: number[] },
) {
  const [p50, p50Large] = [quantile(small, 0.5), quantile(large, 0.5)]
  const [p99, p99Large] = [quantile(small, 0.99), quantile(large, 0.99)]
  const shown = [p50, p50Large, p99, p99Large].map((ms) => ms.toFixed(2))
  t.diagnostic(
    `${name}: p50 ${shown[0]} → ${shown[1]} ms, p99 ${shown[2]} → ${shown[3]} ms (${(p99Large / p99).toFixed(2)})`,
  )
  return p99Large / p99
}

const quantile = (times: number[], part: number) =>
  times.sort((one, other) => one - other)[Math.floor(times.length * part)] ?? 0

test('a workspace with nearly all of them is deleted at once, and nothing below it can be read', async (t) => {
  const { bench, made } = large
  const below = await bench.query<{ id: string }>(
    `select id from node where workspace_id = '${made.bulk}' and parent_id is not null
      order by id limit 200`,
  )
  const started = performance.now()
  await bench.client.deleteNode({ id: made.bulk, type: WORKSPACE }, ada)
  const ms = performance.now() - started
  t.diagnostic(`deleted in ${ms.toFixed(0)} ms, of ${made.nodes} nodes`)
  assert.ok(ms < 100, `${ms} ms`)
  for (const { id } of below) {
    await refused(bench.client.getNode({ id }, ada), notFound)
    await refused(bench.client.checkAccess({ id, permission: Permission.VIEW }, ada), notFound)
  }
})
