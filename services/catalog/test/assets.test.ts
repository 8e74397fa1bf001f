import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  get,
  make,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function makeAsset(workspace: Node, more: { scopeId?: string; name?: string } = {}) {
  const request = { type: ASSET, parentId: workspace.id, name: 'stations.csv', ...more }
  const { node } = await bench.client.createNode(request, ada)
  assert.ok(node)
  return node
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

async function scopedTo({ id }: Node) {
  return idsOf((await bench.client.listScopedAssets({ analysisId: id }, ada)).nodes)
}

async function namedAs(name: string, analysisId = '', as = ada) {
  return idsOf((await bench.client.findAssetsByName({ name, analysisId }, as)).nodes)
}

test('an asset lives in its workspace, and belongs to an analysis beside', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const asset = await makeAsset(workspace, { scopeId: analysis.id })
  assert.deepEqual([asset.parentId, asset.scopeId], [workspace.id, analysis.id])
  assert.deepEqual(await get(bench, asset), asset)
  const plain = await makeAsset(workspace)
  assert.equal(plain.scopeId, '')
  const { nodes } = await bench.client.listChildren({ parentId: workspace.id, type: ASSET }, ada)
  assert.deepEqual(idsOf(nodes), [asset.id, plain.id])
  assert.deepEqual(await scopedTo(analysis), [asset.id])
  const children = await bench.client.listChildren({ parentId: analysis.id, type: ASSET }, ada)
  assert.deepEqual(children.nodes, [], 'the analysis is not its parent')
})

test('an asset comes to an analysis and leaves it by updates; silence keeps it', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const { id } = await makeAsset(workspace)
  const update = (change: object) => bench.client.updateNode({ id, ...change }, ada)
  assert.equal((await update({ scopeId: analysis.id })).node?.scopeId, analysis.id)
  assert.equal((await update({ name: 'other' })).node?.scopeId, analysis.id)
  assert.equal((await update({ scopeId: '' })).node?.scopeId, '')
  assert.deepEqual(await scopedTo(analysis), [])
})

test('an analysis that is deleted leaves its assets behind, in every read', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const asset = await makeAsset(workspace, { scopeId: analysis.id, name: 'kept' })
  await bench.client.deleteNode({ id: analysis.id }, ada)
  assert.deepEqual(await get(bench, asset), { ...asset, scopeId: '' })
  const { nodes } = await bench.client.listChildren({ parentId: workspace.id, type: ASSET }, ada)
  assert.deepEqual(nodes, [{ ...asset, scopeId: '' }])
  assert.deepEqual(await namedAs('kept'), [asset.id])
  await refused(bench.client.listScopedAssets({ analysisId: analysis.id }, ada), notFound)
})

test('an analysis that goes to another workspace leaves its assets where they are', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const asset = await makeAsset(workspace, { scopeId: analysis.id, name: 'left' })
  const elsewhere = await make(bench, WORKSPACE)
  await bench.client.updateNode({ id: analysis.id, parentId: elsewhere.id }, ada)
  assert.deepEqual(await get(bench, asset), { ...asset, scopeId: '' })
  assert.deepEqual(await scopedTo(analysis), [])
  assert.deepEqual(await namedAs('left', analysis.id), [])
})

test('an asset moves to another workspace, without its analysis or to one there', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const there = await makeTree(bench)
  const asset = await makeAsset(workspace, { scopeId: analysis.id })
  const move = (request: object) => bench.client.updateNode({ id: asset.id, ...request }, ada)
  const { node: moved } = await move({ parentId: there.workspace.id })
  assert.deepEqual([moved?.workspaceId, moved?.scopeId], [there.workspace.id, ''])
  const { node: back } = await move({ parentId: workspace.id, scopeId: analysis.id })
  assert.deepEqual([back?.workspaceId, back?.scopeId], [workspace.id, analysis.id])
  assert.deepEqual(await scopedTo(analysis), [asset.id])
})

test('an analysis that cannot be is refused, names its member and changes nothing', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const other = await makeTree(bench)
  const foreign = await bench.client.createNode({ type: WORKSPACE, name: 'w' }, bob)
  const parentId = foreign.node?.id ?? ''
  const hidden = await bench.client.createNode({ type: ANALYSIS, parentId, name: 'a' }, bob)
  const asset = await makeAsset(workspace)
  const untouched = await contents(bench)
  const wrong = { code: 'InvalidArgument', field: 'analysis' } as const
  for (const scopeId of ['x', newId(), figure.id, other.analysis.id]) {
    const request = { type: ASSET, parentId: workspace.id, name: 'n', scopeId }
    await refused(bench.client.createNode(request, ada), wrong)
    await refused(bench.client.updateNode({ id: asset.id, scopeId }, ada), wrong)
  }
  const scopeId = hidden.node?.id ?? ''
  await refused(bench.client.updateNode({ id: asset.id, scopeId }, ada), denied)
  const figureScope = { id: figure.id, scopeId: analysis.id }
  await refused(bench.client.updateNode(figureScope, ada), wrong)
  assert.deepEqual(await contents(bench), untouched)
})

test('by its exact name an asset is found, in all that one can view or in one analysis', async () => {
  const name = 'über 100%_äß'
  const { workspace, analysis } = await makeTree(bench)
  const first = await makeAsset(workspace, { name })
  const second = await makeAsset(workspace, { name, scopeId: analysis.id })
  const third = await makeAsset((await makeTree(bench)).workspace, { name })
  await makeAsset(workspace, { name: name.toUpperCase() })
  await makeAsset(workspace, { name: `${name} ` })
  assert.deepEqual(await namedAs(name), idsOf([first, second, third]))
  assert.deepEqual(await namedAs(name, analysis.id), [second.id])
  assert.deepEqual(await namedAs(name, '', bob), [])
  assert.deepEqual(await namedAs('nothing has this name'), [])
  await bench.client.deleteNode({ id: first.id }, ada)
  assert.deepEqual(await namedAs(name), idsOf([second, third]))
})

test('both lists page without loss or repetition', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const made: Node[] = []
  for (let n = 0; n < 5; n++) {
    made.push(await makeAsset(workspace, { name: 'paged', scopeId: analysis.id }))
  }
  const { client } = bench
  const lists = [
    (pageToken: string) =>
      client.listScopedAssets({ analysisId: analysis.id, pageSize: 2, pageToken }, ada),
    (pageToken: string) => client.findAssetsByName({ name: 'paged', pageSize: 2, pageToken }, ada),
  ]
  for (const list of lists) {
    const seen: string[] = []
    let pageToken = ''
    do {
      const page = await list(pageToken)
      assert.ok(page.nodes.length <= 2)
      seen.push(...idsOf(page.nodes))
      pageToken = page.nextPageToken
    } while (pageToken)
    assert.deepEqual(seen, idsOf(made))
    await refused(list('x'), { code: 'InvalidArgument', field: 'page_token' })
  }
})

test('sharing an analysis neither shares nor lists its assets', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const made = await makeAsset(workspace, { scopeId: analysis.id, name: 'raw' })
  const toBob = ({ id, type }: Pick<Node, 'id' | 'type'>) =>
    bench.client.setUserShare({ id, type, username: 'bob', enabled: true }, ada)
  const scoped = async (as: typeof ada) =>
    idsOf((await bench.client.listScopedAssets({ analysisId: analysis.id }, as)).nodes)
  await toBob(analysis)
  assert.deepEqual(await scoped(bob), [])
  await toBob(made)
  assert.deepEqual(await scoped(bob), [made.id])
  assert.deepEqual(await scoped(ada), [made.id])
})

test('assets of a stranger stay hidden', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const { id } = await makeAsset(workspace, { scopeId: analysis.id, name: 'secret' })
  const analysisId = analysis.id
  await refused(bench.client.getNode({ id }, bob), denied)
  await refused(bench.client.listScopedAssets({ analysisId }, bob), denied)
  await refused(bench.client.findAssetsByName({ name: 'secret', analysisId }, bob), denied)
  await refused(bench.client.listScopedAssets({ analysisId }, nobody), unauthenticated)
  await refused(bench.client.findAssetsByName({ name: 'secret' }, nobody), unauthenticated)
  const wrong = { code: 'InvalidArgument', field: 'analysis' } as const
  for (const one of ['x', newId(), id]) {
    await refused(bench.client.findAssetsByName({ name: 'secret', analysisId: one }, ada), wrong)
  }
})
