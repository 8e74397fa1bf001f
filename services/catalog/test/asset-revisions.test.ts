import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import {
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  bob,
  contents,
  createAssetRevision,
  createNode,
  createTree,
  denied,
  get,
  leaf,
  notFound,
  startTestCatalog,
  sumsOf,
  type TestCatalog,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const type = ASSET_REVISION

async function createAssetTree() {
  const { workspace, analysis, figure } = await createTree(catalog)
  return { workspace, analysis, figure, asset: await createNode(catalog, ASSET, workspace.id) }
}

const childrenOf = async (parentId: string, as = ada) =>
  (await catalog.client.listChildren({ parentId, type }, as)).nodes

test('an asset revision counts in the sums of its asset and workspace until it is deleted', async () => {
  const { workspace, analysis, asset } = await createAssetTree()
  const first = await createAssetRevision(catalog, asset.id, [5n, 7n])
  const second = await createAssetRevision(catalog, asset.id, [30n])
  const { createdOn: childUpdatedOn } = second
  const above = { childUpdatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    assert.deepEqual(await sumsOf(catalog, workspace, asset), [
      { sizeBytes: 42n, ...above },
      { sizeBytes: 42n, ...above },
    ])
  }
  assert.equal((await get(catalog, analysis)).sizeBytes, 0n)
  assert.deepEqual(await childrenOf(asset.id), [first, second])
  await catalog.client.deleteNode({ id: first.id, type }, ada)
  assert.deepEqual(await childrenOf(asset.id), [second])
  assert.equal((await get(catalog, workspace)).sizeBytes, 30n)
  await catalog.client.deleteNode({ id: asset.id }, ada)
  assert.equal((await get(catalog, workspace)).sizeBytes, 0n)
  await assertError(get(catalog, second), notFound)
})

test('the descendants of a workspace include asset revisions with their data objects', async () => {
  const { workspace, asset } = await createAssetTree()
  const { id } = await catalog.client.reserve({ type, parentId: asset.id }, ada)
  const leaves = [leaf(1n), leaf(2n)]
  await catalog.client.activate({ id, leaves }, ada)
  const nodes: string[] = []
  const data: string[] = []
  for await (const page of catalog.client.listDescendants({ id: workspace.id }, ada)) {
    nodes.push(...page.nodes.filter((node) => node.type === type).map((node) => node.id))
    data.push(...page.dataIds)
  }
  assert.deepEqual(nodes, [id])
  assert.deepEqual(data.sort(), leaves.map((one) => one.id).sort())
})

test('the logs of the asset and the workspace contain asset revisions, with revisions for thumbnails', async () => {
  const { workspace, analysis, figure, asset } = await createAssetTree()
  const { id } = await createAssetRevision(catalog, asset.id)
  const logOf = async (one: typeof asset) => {
    const request = { id: one.id, type: one.type, detailed: true }
    const { entries } = await catalog.client.listActivity(request, ada)
    return entries.filter((entry) => entry.targetType === type)
  }
  for (const place of [workspace, asset, await get(catalog, { id, type })]) {
    const [entry, ...others] = await logOf(place)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [entry?.action, entry?.targetId, entry?.targetName, entry?.newestRevisionIds],
      ['create', id, 'a name', [id]],
    )
  }
  for (const elsewhere of [analysis, figure]) assert.deepEqual(await logOf(elsewhere), [])
})

test('an asset with a new revision is the most recent one', async () => {
  const { workspace, asset } = await createAssetTree()
  const request = { workspaceId: workspace.id, type: ASSET }
  const later = await createNode(catalog, ASSET, workspace.id)
  const recent = async () =>
    (await catalog.client.listRecent(request, ada)).nodes.map((node) => node.id)
  assert.deepEqual(await recent(), [later.id, asset.id])
  await createAssetRevision(catalog, asset.id)
  assert.deepEqual(await recent(), [asset.id, later.id])
  const { assets, figures } = await catalog.client.getOverview({ workspaceId: workspace.id }, ada)
  assert.deepEqual([assets, figures], [2, 1])
})

test('a shared asset or asset revision can be viewed and is listed', async () => {
  const { asset } = await createAssetTree()
  const revision = await createAssetRevision(catalog, asset.id)
  const other = await createAssetRevision(catalog, asset.id)
  const visible = async () => (await catalog.client.listNodes({ type }, bob)).nodes
  await assertError(get(catalog, revision, bob), denied)
  assert.deepEqual(await visible(), [])
  const share = (id: string, enabled: boolean) =>
    catalog.client.setUserShare({ id, username: 'bob', enabled }, ada)
  await share(revision.id, true)
  assert.deepEqual(await visible(), [revision])
  assert.deepEqual(await get(catalog, revision, bob), revision)
  await assertError(get(catalog, asset, bob), denied)
  await share(revision.id, false)
  await share(asset.id, true)
  assert.deepEqual(await visible(), [revision, other])
})

test('asset revisions can only be created in assets', async () => {
  const { workspace, figure, asset } = await createAssetTree()
  const untouched = await contents(catalog)
  for (const parentId of ['', 'x', newId(), workspace.id, figure.id]) {
    const bad = catalog.client.reserve({ type, parentId }, ada)
    await assertError(bad, { code: 'InvalidArgument', field: 'asset' })
  }
  await assertError(catalog.client.reserve({ type, parentId: asset.id }, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
})
