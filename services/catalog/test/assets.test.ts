import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { ChildOrder, type Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createTree,
  denied,
  get,
  nobody,
  notFound,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function createAsset(workspace: Node, more: { scopeId?: string; name?: string } = {}) {
  const request = { type: ASSET, parentId: workspace.id, name: 'stations.csv', ...more }
  const { node } = await catalog.client.createNode(request, ada)
  assert.ok(node)
  return node
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

async function scopedTo({ id }: Node) {
  return idsOf((await catalog.client.listScopedAssets({ analysisId: id }, ada)).nodes)
}

async function namedAs(name: string, analysisId = '', as = ada) {
  return idsOf((await catalog.client.findAssetsByName({ name, analysisId }, as)).nodes)
}

test('the parent of an asset is its workspace; its analysis is separate', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const asset = await createAsset(workspace, { scopeId: analysis.id })
  assert.deepEqual([asset.parentId, asset.scopeId], [workspace.id, analysis.id])
  assert.deepEqual(await get(catalog, asset), asset)
  const plain = await createAsset(workspace)
  assert.equal(plain.scopeId, '')
  const { nodes } = await catalog.client.listChildren({ parentId: workspace.id, type: ASSET }, ada)
  assert.deepEqual(idsOf(nodes), [asset.id, plain.id])
  assert.deepEqual(await scopedTo(analysis), [asset.id])
  const children = await catalog.client.listChildren({ parentId: analysis.id, type: ASSET }, ada)
  assert.deepEqual(children.nodes, [], 'the asset is not a child of its analysis')
})

test('updates set and clear the analysis of an asset; an absent field leaves it', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const { id } = await createAsset(workspace)
  const update = (change: object) => catalog.client.updateNode({ id, ...change }, ada)
  assert.equal((await update({ scopeId: analysis.id })).node?.scopeId, analysis.id)
  assert.equal((await update({ name: 'other' })).node?.scopeId, analysis.id)
  assert.equal((await update({ scopeId: '' })).node?.scopeId, '')
  assert.deepEqual(await scopedTo(analysis), [])
})

test('assets of a deleted analysis have no analysis in any read', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const asset = await createAsset(workspace, { scopeId: analysis.id, name: 'kept' })
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  assert.deepEqual(await get(catalog, asset), { ...asset, scopeId: '' })
  const { nodes } = await catalog.client.listChildren({ parentId: workspace.id, type: ASSET }, ada)
  assert.deepEqual(nodes, [{ ...asset, scopeId: '' }])
  assert.deepEqual(await namedAs('kept'), [asset.id])
  await assertError(catalog.client.listScopedAssets({ analysisId: analysis.id }, ada), notFound)
})

test('assets stay when their analysis moves to another workspace', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const asset = await createAsset(workspace, { scopeId: analysis.id, name: 'left' })
  const elsewhere = await createNode(catalog, WORKSPACE)
  await catalog.client.updateNode({ id: analysis.id, parentId: elsewhere.id }, ada)
  assert.deepEqual(await get(catalog, asset), { ...asset, scopeId: '' })
  assert.deepEqual(await scopedTo(analysis), [])
  assert.deepEqual(await namedAs('left', analysis.id), [])
})

test('an asset moves to another workspace without its analysis, or to an analysis there', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const there = await createTree(catalog)
  const asset = await createAsset(workspace, { scopeId: analysis.id })
  const move = (request: object) => catalog.client.updateNode({ id: asset.id, ...request }, ada)
  const { node: moved } = await move({ parentId: there.workspace.id })
  assert.deepEqual([moved?.workspaceId, moved?.scopeId], [there.workspace.id, ''])
  const { node: back } = await move({ parentId: workspace.id, scopeId: analysis.id })
  assert.deepEqual([back?.workspaceId, back?.scopeId], [workspace.id, analysis.id])
  assert.deepEqual(await scopedTo(analysis), [asset.id])
})

test('rejects an invalid analysis by field, and changes nothing', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const other = await createTree(catalog)
  const foreign = await catalog.client.createNode({ type: WORKSPACE, name: 'w' }, bob)
  const parentId = foreign.node?.id ?? ''
  const hidden = await catalog.client.createNode({ type: ANALYSIS, parentId, name: 'a' }, bob)
  const asset = await createAsset(workspace)
  const untouched = await contents(catalog)
  const wrong = { code: 'InvalidArgument', field: 'analysis' } as const
  for (const scopeId of ['x', newId(), figure.id, other.analysis.id]) {
    const request = { type: ASSET, parentId: workspace.id, name: 'n', scopeId }
    await assertError(catalog.client.createNode(request, ada), wrong)
    await assertError(catalog.client.updateNode({ id: asset.id, scopeId }, ada), wrong)
  }
  const scopeId = hidden.node?.id ?? ''
  await assertError(catalog.client.updateNode({ id: asset.id, scopeId }, ada), denied)
  const figureScope = { id: figure.id, scopeId: analysis.id }
  await assertError(catalog.client.updateNode(figureScope, ada), wrong)
  assert.deepEqual(await contents(catalog), untouched)
})

test('finds assets by exact name, in all visible workspaces or in one analysis', async () => {
  const name = 'über 100%_äß'
  const { workspace, analysis } = await createTree(catalog)
  const first = await createAsset(workspace, { name })
  const second = await createAsset(workspace, { name, scopeId: analysis.id })
  const third = await createAsset((await createTree(catalog)).workspace, { name })
  await createAsset(workspace, { name: name.toUpperCase() })
  await createAsset(workspace, { name: `${name} ` })
  assert.deepEqual(await namedAs(name), idsOf([first, second, third]))
  assert.deepEqual(await namedAs(name, analysis.id), [second.id])
  assert.deepEqual(await namedAs(name, '', bob), [])
  assert.deepEqual(await namedAs('nothing has this name'), [])
  await catalog.client.deleteNode({ id: first.id }, ada)
  assert.deepEqual(await namedAs(name), idsOf([second, third]))
})

test('pages of both lists neither skip nor repeat assets', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const made: Node[] = []
  for (let n = 0; n < 5; n++) {
    made.push(await createAsset(workspace, { name: 'paged', scopeId: analysis.id }))
  }
  const { client } = catalog
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
    await assertError(list('x'), { code: 'InvalidArgument', field: 'page_token' })
  }
})

test('the assets of an analysis are listed in each order, and filtered', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const made: Node[] = []
  for (const name of ['beta', 'Äther', 'alpha', 'zeta']) {
    made.push(await createAsset(workspace, { name, scopeId: analysis.id }))
  }
  const [beta, , alpha] = idsOf(made)
  await catalog.client.updateNode({ id: beta, description: 'new' }, ada)
  const listed = async (order: ChildOrder, pageSize: number, filter = {}) => {
    const names: string[] = []
    let pageToken = ''
    do {
      const request = { analysisId: analysis.id, order, filter, pageSize, pageToken }
      const page = await catalog.client.listScopedAssets(request, ada)
      names.push(...page.nodes.map(({ name }) => name))
      pageToken = page.nextPageToken
    } while (pageToken)
    return names
  }
  for (const pageSize of [1, 3, 100]) {
    const { NAME, NEWEST, CHANGED } = ChildOrder
    assert.deepEqual(await listed(NAME, pageSize), ['alpha', 'Äther', 'beta', 'zeta'])
    assert.deepEqual(await listed(NEWEST, pageSize), ['zeta', 'alpha', 'Äther', 'beta'])
    assert.deepEqual(await listed(CHANGED, pageSize), ['beta', 'zeta', 'alpha', 'Äther'])
    assert.deepEqual(await listed(NEWEST, pageSize, { words: ['ETA'] }), ['zeta', 'beta'])
    assert.deepEqual(await listed(NAME, pageSize, { createdBy: 'bob' }), [])
  }
  const request = { analysisId: analysis.id, pageSize: 1 }
  const byName = await catalog.client.listScopedAssets({ ...request, order: ChildOrder.NAME }, ada)
  assert.deepEqual(idsOf(byName.nodes), [alpha])
  for (const [changed, field] of [
    [{ pageToken: byName.nextPageToken }, 'page_token'],
    [{ order: 9 }, 'order'],
    [{ filter: { words: [''] } }, 'words'],
  ] as [object, string][]) {
    const refused = catalog.client.listScopedAssets({ ...request, ...changed }, ada)
    await assertError(refused, { code: 'InvalidArgument', field })
  }
})

test('sharing an analysis does not share its assets', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const made = await createAsset(workspace, { scopeId: analysis.id, name: 'raw' })
  const toBob = ({ id, type }: Pick<Node, 'id' | 'type'>) =>
    catalog.client.setUserShare({ id, type, username: 'bob', enabled: true }, ada)
  const scoped = async (as: typeof ada) =>
    idsOf((await catalog.client.listScopedAssets({ analysisId: analysis.id }, as)).nodes)
  await toBob(analysis)
  assert.deepEqual(await scoped(bob), [])
  await toBob(made)
  assert.deepEqual(await scoped(bob), [made.id])
  assert.deepEqual(await scoped(ada), [made.id])
})

test('assets of other users are hidden', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const { id } = await createAsset(workspace, { scopeId: analysis.id, name: 'secret' })
  const analysisId = analysis.id
  await assertError(catalog.client.getNode({ id }, bob), denied)
  await assertError(catalog.client.listScopedAssets({ analysisId }, bob), denied)
  await assertError(catalog.client.findAssetsByName({ name: 'secret', analysisId }, bob), denied)
  await assertError(catalog.client.listScopedAssets({ analysisId }, nobody), unauthenticated)
  await assertError(catalog.client.findAssetsByName({ name: 'secret' }, nobody), unauthenticated)
  const wrong = { code: 'InvalidArgument', field: 'analysis' } as const
  for (const one of ['x', newId(), id]) {
    await assertError(
      catalog.client.findAssetsByName({ name: 'secret', analysisId: one }, ada),
      wrong,
    )
  }
})
