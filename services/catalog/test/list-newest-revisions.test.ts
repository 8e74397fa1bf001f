import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  notFound,
  startTestCatalog,
  type TestCatalog,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function newest({ id, type }: Pick<Node, 'id' | 'type'>, pageSize = 0, as = ada) {
  return (await catalog.client.listNewestRevisions({ id, type, pageSize }, as)).ids
}

test('lists the newest live revisions at or below each type of node, newest first', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const second = await createNode(catalog, FIGURE, analysis.id)
  const elsewhere = await createNode(
    catalog,
    FIGURE,
    (await createNode(catalog, ANALYSIS, workspace.id)).id,
  )
  const asset = await createNode(catalog, ASSET, workspace.id)
  assert.deepEqual(await newest(workspace), [])
  const ids: string[] = []
  for (const [n, parent] of [figure, second, figure, elsewhere, figure].entries()) {
    ids.push((await createRevision(catalog, parent.id, [1n], { position: n })).id)
  }
  const [a = '', b = '', c = '', d = '', e = ''] = ids
  assert.deepEqual(await newest(workspace), [e, d, c, b, a])
  assert.deepEqual(await newest(analysis), [e, c, b, a])
  assert.deepEqual(await newest(analysis, 2), [e, c])
  assert.deepEqual(await newest(figure), [e, c, a])
  assert.deepEqual(await newest({ id: a, type: 5 }), [a])
  assert.deepEqual(await newest(asset), [])
  await catalog.client.deleteNode({ id: e }, ada)
  await catalog.client.deleteNode({ id: second.id }, ada)
  assert.deepEqual(await newest(workspace), [d, c, a])
  assert.deepEqual(await newest(analysis), [c, a])
  assert.deepEqual(await newest(figure), [c, a])
  await catalog.client.updateNode({ id: figure.id, parentId: elsewhere.parentId }, ada)
  assert.deepEqual(await newest(analysis), [])
})

test('lists asset revisions for assets only', async () => {
  const { workspace } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const first = await createAssetRevision(catalog, asset.id)
  const second = await createAssetRevision(catalog, asset.id)
  assert.deepEqual(await newest(asset), [second.id, first.id])
  assert.deepEqual(await newest(asset, 1), [second.id])
  assert.deepEqual(await newest(first), [first.id])
  assert.deepEqual(await newest(workspace), [])
  await catalog.client.deleteNode({ id: second.id }, ada)
  assert.deepEqual(await newest(asset), [first.id])
})

test('listing takes VIEW on the node', async () => {
  const { figure } = await createTree(catalog)
  await assertError(newest(figure, 0, bob), denied)
  await assertError(newest({ ...figure, id: newId() }), notFound)
})
