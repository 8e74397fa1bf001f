import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  bob,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  denied,
  get,
  nobody,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function resolve(ids: string[], more: { type?: number; scopeId?: string } = {}, as = ada) {
  const { nodes, hiddenIds } = await catalog.client.resolveNodes({ ids, ...more }, as)
  return { nodes, hiddenIds }
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

test('returns live nodes once, in the requested order, as GetNode does', async () => {
  const { workspace, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [3n])
  const deleted = await createRevision(catalog, figure.id)
  await catalog.client.deleteNode({ id: deleted.id }, ada)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const below = await createAssetRevision(catalog, asset.id)
  await catalog.client.deleteNode({ id: asset.id }, ada)
  const pending = await catalog.client.reserve({ type: revision.type, parentId: figure.id }, ada)
  const dead = [deleted.id, below.id, pending.id, newId()]
  const ids = [figure.id, ...dead, revision.id.toUpperCase(), figure.id]
  const nodes = [await get(catalog, figure), revision]
  assert.deepEqual(await resolve(ids), { nodes, hiddenIds: [] })
  assert.deepEqual(await resolve(ids, { type: revision.type }), {
    nodes: [revision],
    hiddenIds: [],
  })
  assert.deepEqual(await resolve([]), { nodes: [], hiddenIds: [] })
})

test('returns only the ids of nodes that the caller cannot view', async () => {
  const { figure } = await createTree(catalog)
  const shared = await createRevision(catalog, figure.id)
  const other = await createRevision(catalog, figure.id)
  await catalog.client.setUserShare({ id: shared.id, username: 'bob', enabled: true }, ada)
  const ids = [other.id, shared.id, newId()]
  assert.deepEqual(await resolve(ids, {}, bob), { nodes: [shared], hiddenIds: [other.id] })
  const hidden = { nodes: [], hiddenIds: [other.id, shared.id] }
  for (const as of [nobody, system]) assert.deepEqual(await resolve(ids, {}, as), hidden)
  await catalog.client.setLinkShare({ id: figure.id, enabled: true }, ada)
  assert.deepEqual(idsOf((await resolve(ids, {}, nobody)).nodes), [other.id, shared.id])
  const withoutLinks = await catalog.client.resolveNodes({ ids, withoutLinks: true }, bob)
  assert.deepEqual(idsOf(withoutLinks.nodes), [shared.id])
})

test('filters by analysis: its assets and their revisions, while it is in their workspace', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const scoped = { type: ASSET, parentId: workspace.id, scopeId: analysis.id, name: 'a name' }
  const { node: own } = await catalog.client.createNode(scoped, ada)
  assert.ok(own)
  const inside = await createAssetRevision(catalog, own.id)
  const free = await createNode(catalog, ASSET, workspace.id)
  const outside = await createAssetRevision(catalog, free.id)
  const ids = [outside, inside, own, free, figure].map((node) => node.id)
  const scope = { scopeId: analysis.id }
  assert.deepEqual(idsOf((await resolve(ids, scope)).nodes), [inside.id, own.id])
  const revisions = await resolve(ids, { ...scope, type: ASSET_REVISION })
  assert.deepEqual(revisions, { nodes: [inside], hiddenIds: [] })
  await catalog.client.setUserShare({ id: analysis.id, username: 'bob', enabled: true }, ada)
  const hidden = { nodes: [], hiddenIds: [inside.id, own.id] }
  assert.deepEqual(await resolve(ids, scope, bob), hidden)

  const elsewhere = await createNode(catalog, WORKSPACE)
  await catalog.client.updateNode({ id: analysis.id, parentId: elsewhere.id }, ada)
  assert.deepEqual(await resolve(ids, scope), { nodes: [], hiddenIds: [] })
})

test('rejects an unknown analysis, one of another type, or without access', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const other = await createNode(catalog, ANALYSIS, workspace.id)
  await catalog.client.deleteNode({ id: other.id }, ada)
  for (const scopeId of ['x', newId(), workspace.id, other.id]) {
    await assertError(resolve([], { scopeId }), { code: 'InvalidArgument', field: 'analysis' })
  }
  await assertError(resolve([], { scopeId: analysis.id }, bob), denied)
  await assertError(resolve([], { scopeId: analysis.id }, nobody), unauthenticated)
})

test('rejects more than 1000 ids and invalid ids', async () => {
  const many = Array.from({ length: 1001 }, newId)
  for (const ids of [many, ['x']]) {
    await assertError(resolve(ids), { code: 'InvalidArgument', field: 'ids' })
  }
  assert.deepEqual(await resolve(many.slice(1)), { nodes: [], hiddenIds: [] })
})
