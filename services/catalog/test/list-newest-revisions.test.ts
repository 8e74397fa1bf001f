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
  denied,
  FIGURE,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  notFound,
  refused,
  startBench,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function newest({ id, type }: Pick<Node, 'id' | 'type'>, pageSize = 0, as = ada) {
  return (await bench.client.listNewestRevisions({ id, type, pageSize }, as)).ids
}

test('the newest revisions below each kind of node, newest first, without what is deleted', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const second = await make(bench, FIGURE, analysis.id)
  const elsewhere = await make(bench, FIGURE, (await make(bench, ANALYSIS, workspace.id)).id)
  const asset = await make(bench, ASSET, workspace.id)
  assert.deepEqual(await newest(workspace), [])
  const ids: string[] = []
  for (const [n, parent] of [figure, second, figure, elsewhere, figure].entries()) {
    ids.push((await makeRevision(bench, parent.id, [1n], { position: n })).id)
  }
  const [a = '', b = '', c = '', d = '', e = ''] = ids
  assert.deepEqual(await newest(workspace), [e, d, c, b, a])
  assert.deepEqual(await newest(analysis), [e, c, b, a])
  assert.deepEqual(await newest(analysis, 2), [e, c])
  assert.deepEqual(await newest(figure), [e, c, a])
  assert.deepEqual(await newest({ id: a, type: 5 }), [a])
  assert.deepEqual(await newest(asset), [])
  await bench.client.deleteNode({ id: e }, ada)
  await bench.client.deleteNode({ id: second.id }, ada)
  assert.deepEqual(await newest(workspace), [d, c, a])
  assert.deepEqual(await newest(analysis), [c, a])
  assert.deepEqual(await newest(figure), [c, a])
  await bench.client.updateNode({ id: figure.id, parentId: elsewhere.parentId }, ada)
  assert.deepEqual(await newest(analysis), [])
})

test('of an asset they are its own, of what is above it none', async () => {
  const { workspace } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const first = await makeAssetRevision(bench, asset.id)
  const second = await makeAssetRevision(bench, asset.id)
  assert.deepEqual(await newest(asset), [second.id, first.id])
  assert.deepEqual(await newest(asset, 1), [second.id])
  assert.deepEqual(await newest(first), [first.id])
  assert.deepEqual(await newest(workspace), [])
  await bench.client.deleteNode({ id: second.id }, ada)
  assert.deepEqual(await newest(asset), [first.id])
})

test('they are named to whoever may view the node', async () => {
  const { figure } = await makeTree(bench)
  await refused(newest(figure, 0, bob), denied)
  await refused(newest({ ...figure, id: newId() }), notFound)
})
