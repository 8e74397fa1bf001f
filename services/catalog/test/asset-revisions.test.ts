import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import {
  ASSET,
  ASSET_REVISION,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  get,
  leaf,
  make,
  makeAssetRevision,
  makeTree,
  notFound,
  refused,
  startBench,
  sumsOf,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const type = ASSET_REVISION

async function plant() {
  const { workspace, analysis, figure } = await makeTree(bench)
  return { workspace, analysis, figure, asset: await make(bench, ASSET, workspace.id) }
}

const childrenOf = async (parentId: string, as = ada) =>
  (await bench.client.listChildren({ parentId, type }, as)).nodes

test('a revision counts in its asset and the workspace, until it is deleted', async () => {
  const { workspace, analysis, asset } = await plant()
  const first = await makeAssetRevision(bench, asset.id, [5n, 7n])
  const second = await makeAssetRevision(bench, asset.id, [30n])
  const { createdOn: childUpdatedOn } = second
  const above = { childUpdatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await bench.fold()
    assert.deepEqual(await sumsOf(bench, workspace, asset), [
      { sizeBytes: 42n, ...above },
      { sizeBytes: 42n, ...above },
    ])
  }
  assert.equal((await get(bench, analysis)).sizeBytes, 0n)
  assert.deepEqual(await childrenOf(asset.id), [first, second])
  await bench.client.deleteNode({ id: first.id, type }, ada)
  assert.deepEqual(await childrenOf(asset.id), [second])
  assert.equal((await get(bench, workspace)).sizeBytes, 30n)
  await bench.client.deleteNode({ id: asset.id }, ada)
  assert.equal((await get(bench, workspace)).sizeBytes, 0n)
  await refused(get(bench, second), notFound)
})

test('all that is below a workspace has them, with their data', async () => {
  const { workspace, asset } = await plant()
  const { id } = await bench.client.reserve({ type, parentId: asset.id }, ada)
  const leaves = [leaf(1n), leaf(2n)]
  await bench.client.activate({ id, leaves }, ada)
  const nodes: string[] = []
  const data: string[] = []
  for await (const page of bench.client.listDescendants({ id: workspace.id }, ada)) {
    nodes.push(...page.nodes.filter((node) => node.type === type).map((node) => node.id))
    data.push(...page.dataIds)
  }
  assert.deepEqual(nodes, [id])
  assert.deepEqual(data.sort(), leaves.map((one) => one.id).sort())
})

test('the log of the asset and of the workspace tells of them, with what may show them', async () => {
  const { workspace, analysis, figure, asset } = await plant()
  const { id } = await makeAssetRevision(bench, asset.id)
  const logOf = async (one: typeof asset) => {
    const request = { id: one.id, type: one.type, detailed: true }
    const { entries } = await bench.client.listActivity(request, ada)
    return entries.filter((entry) => entry.targetType === type)
  }
  for (const place of [workspace, asset, await get(bench, { id, type })]) {
    const [entry, ...others] = await logOf(place)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [entry?.action, entry?.targetId, entry?.targetName, entry?.newestRevisionIds],
      ['create', id, 'a name', [id]],
    )
  }
  for (const elsewhere of [analysis, figure]) assert.deepEqual(await logOf(elsewhere), [])
})

test('an asset with a new revision is the one that was active last', async () => {
  const { workspace, asset } = await plant()
  const request = { workspaceId: workspace.id, type: ASSET }
  const later = await make(bench, ASSET, workspace.id)
  const recent = async () =>
    (await bench.client.listRecent(request, ada)).nodes.map((node) => node.id)
  assert.deepEqual(await recent(), [later.id, asset.id])
  await makeAssetRevision(bench, asset.id)
  assert.deepEqual(await recent(), [asset.id, later.id])
  const { assets, figures } = await bench.client.getOverview({ workspaceId: workspace.id }, ada)
  assert.deepEqual([assets, figures], [2, 1])
})

test('what is shared of an asset, is seen and listed', async () => {
  const { asset } = await plant()
  const revision = await makeAssetRevision(bench, asset.id)
  const other = await makeAssetRevision(bench, asset.id)
  const visible = async () => (await bench.client.listNodes({ type }, bob)).nodes
  await refused(get(bench, revision, bob), denied)
  assert.deepEqual(await visible(), [])
  const share = (id: string, enabled: boolean) =>
    bench.client.setUserShare({ id, username: 'bob', enabled }, ada)
  await share(revision.id, true)
  assert.deepEqual(await visible(), [revision])
  assert.deepEqual(await get(bench, revision, bob), revision)
  await refused(get(bench, asset, bob), denied)
  await share(revision.id, false)
  await share(asset.id, true)
  assert.deepEqual(await visible(), [revision, other])
})

test('they live in assets alone', async () => {
  const { workspace, figure, asset } = await plant()
  const untouched = await contents(bench)
  for (const parentId of ['', 'x', newId(), workspace.id, figure.id]) {
    const bad = bench.client.reserve({ type, parentId }, ada)
    await refused(bad, { code: 'InvalidArgument', field: 'asset' })
  }
  await refused(bench.client.reserve({ type, parentId: asset.id }, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
})
