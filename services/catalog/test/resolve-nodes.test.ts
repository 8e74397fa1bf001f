import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  type Bench,
  bob,
  denied,
  get,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  nobody,
  refused,
  startBench,
  system,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function resolve(ids: string[], more: { type?: number; scopeId?: string } = {}, as = ada) {
  const { nodes, hiddenIds } = await bench.client.resolveNodes({ ids, ...more }, as)
  return { nodes, hiddenIds }
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

test('what is live comes in the order asked for, once, as it is read alone', async () => {
  const { workspace, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [3n])
  const gone = await makeRevision(bench, figure.id)
  await bench.client.deleteNode({ id: gone.id }, ada)
  const asset = await make(bench, ASSET, workspace.id)
  const below = await makeAssetRevision(bench, asset.id)
  await bench.client.deleteNode({ id: asset.id }, ada)
  const pending = await bench.client.reserve({ type: revision.type, parentId: figure.id }, ada)
  const dead = [gone.id, below.id, pending.id, newId()]
  const ids = [figure.id, ...dead, revision.id.toUpperCase(), figure.id]
  const nodes = [await get(bench, figure), revision]
  assert.deepEqual(await resolve(ids), { nodes, hiddenIds: [] })
  assert.deepEqual(await resolve(ids, { type: revision.type }), {
    nodes: [revision],
    hiddenIds: [],
  })
  assert.deepEqual(await resolve([]), { nodes: [], hiddenIds: [] })
})

test('what the caller cannot view is named, no more', async () => {
  const { figure } = await makeTree(bench)
  const shared = await makeRevision(bench, figure.id)
  const other = await makeRevision(bench, figure.id)
  await bench.client.setUserShare({ id: shared.id, username: 'bob', enabled: true }, ada)
  const ids = [other.id, shared.id, newId()]
  assert.deepEqual(await resolve(ids, {}, bob), { nodes: [shared], hiddenIds: [other.id] })
  const hidden = { nodes: [], hiddenIds: [other.id, shared.id] }
  for (const as of [nobody, system]) assert.deepEqual(await resolve(ids, {}, as), hidden)
  await bench.client.setLinkShare({ id: figure.id, enabled: true }, ada)
  assert.deepEqual(idsOf((await resolve(ids, {}, nobody)).nodes), [other.id, shared.id])
})

test('of an analysis: its assets and what lives in them, while it is in their workspace', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const scoped = { type: ASSET, parentId: workspace.id, scopeId: analysis.id, name: 'a name' }
  const { node: own } = await bench.client.createNode(scoped, ada)
  assert.ok(own)
  const inside = await makeAssetRevision(bench, own.id)
  const free = await make(bench, ASSET, workspace.id)
  const outside = await makeAssetRevision(bench, free.id)
  const ids = [outside, inside, own, free, figure].map((node) => node.id)
  const scope = { scopeId: analysis.id }
  assert.deepEqual(idsOf((await resolve(ids, scope)).nodes), [inside.id, own.id])
  const revisions = await resolve(ids, { ...scope, type: ASSET_REVISION })
  assert.deepEqual(revisions, { nodes: [inside], hiddenIds: [] })
  await bench.client.setUserShare({ id: analysis.id, username: 'bob', enabled: true }, ada)
  const hidden = { nodes: [], hiddenIds: [inside.id, own.id] }
  assert.deepEqual(await resolve(ids, scope, bob), hidden)

  const elsewhere = await make(bench, WORKSPACE)
  await bench.client.updateNode({ id: analysis.id, parentId: elsewhere.id }, ada)
  assert.deepEqual(await resolve(ids, scope), { nodes: [], hiddenIds: [] })
})

test("an analysis that is unknown, of another type or not the caller's is refused", async () => {
  const { workspace, analysis } = await makeTree(bench)
  const other = await make(bench, ANALYSIS, workspace.id)
  await bench.client.deleteNode({ id: other.id }, ada)
  for (const scopeId of ['x', newId(), workspace.id, other.id]) {
    await refused(resolve([], { scopeId }), { code: 'InvalidArgument', field: 'analysis' })
  }
  await refused(resolve([], { scopeId: analysis.id }, bob), denied)
  await refused(resolve([], { scopeId: analysis.id }, nobody), unauthenticated)
})

test('not more than 1000, and ids only', async () => {
  const many = Array.from({ length: 1001 }, newId)
  for (const ids of [many, ['x']]) {
    await refused(resolve(ids), { code: 'InvalidArgument', field: 'ids' })
  }
  assert.deepEqual(await resolve(many.slice(1)), { nodes: [], hiddenIds: [] })
})
