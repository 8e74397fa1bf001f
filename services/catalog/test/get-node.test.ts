import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  system,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

for (const transport of ['local', 'http2'] as const) {
  test(`${transport}: a node is read by whoever can view it, and by nobody else`, async () => {
    await using bench = await startBench({ transport })
    const { workspace, figure } = await makeTree(bench)
    assert.deepEqual(await get(bench, figure), figure)
    const { id, type } = figure
    await refused(bench.client.getNode({ id, type }, bob), denied)
    await refused(bench.client.getNode({ id: newId(), type }, bob), notFound)
    await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('bob', '${workspace.id}', 'member', 'viewer', 'ada')`)
    assert.deepEqual(await get(bench, figure, bob), figure)
  })
}

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

test('anonymous is 401, whether the node exists or not; so is the system', async () => {
  const { figure } = await makeTree(bench)
  for (const id of [figure.id, newId(), 'no uuid']) {
    for (const as of [nobody, system]) {
      await refused(bench.client.getNode({ id, type: FIGURE }, as), unauthenticated)
    }
  }
})

test('unknown, of another type, reserved or deleted is 404', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id } = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const revision = await makeRevision(bench, figure.id)
  const lost = [
    { id: newId(), type: FIGURE },
    { id: 'no uuid', type: FIGURE },
    { id: '', type: FIGURE },
    { id: figure.id, type: ANALYSIS },
    { id, type: FIGURE_REVISION },
    { id },
  ]
  for (const request of lost) await refused(bench.client.getNode(request, ada), notFound)
  await bench.client.deleteNode({ id: workspace.id, type: WORKSPACE }, ada)
  for (const one of [workspace, analysis, figure, revision]) {
    await refused(bench.client.getNode({ id: one.id, type: one.type }, ada), notFound)
    await refused(bench.client.getNode({ id: one.id, type: one.type }, bob), notFound)
  }
})

test('an id in capitals names the same node', async () => {
  const { figure } = await makeTree(bench)
  const { node } = await bench.client.getNode({ id: figure.id.toUpperCase(), type: FIGURE }, ada)
  assert.deepEqual(node, figure)
})
