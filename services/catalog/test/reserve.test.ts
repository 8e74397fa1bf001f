import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  logOf,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  sumsOf,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { CHILDREN_MAX: '2' } })
})
after(() => bench[Symbol.asyncDispose]())

const type = FIGURE_REVISION

test('what is reserved is nowhere to be seen, and changes nothing above it', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const ancestors = [workspace, analysis, figure]
  const before = await sumsOf(bench, ...ancestors)
  const { id, workspaceId, createdOn } = await client.reserve({ type, parentId: figure.id }, ada)
  assert.equal(workspaceId, workspace.id)
  assert.ok(createdOn)
  await refused(client.getNode({ id, type }, ada), notFound)
  await refused(client.checkAccess({ id, permission: Permission.VIEW }, ada), notFound)
  await refused(client.updateNode({ id, name: 'n' }, ada), notFound)
  await refused(client.deleteNode({ id }, ada), notFound)
  const children = await client.listChildren({ parentId: figure.id, type }, ada)
  assert.deepEqual(children.nodes, [])
  const all = await client.listNodes({ type }, ada)
  assert.deepEqual(all.nodes, [])
  assert.deepEqual(await sumsOf(bench, ...ancestors), before)
  assert.deepEqual(await logOf(bench, id), [])
})

test('the caller may choose the id, once', async () => {
  const { figure } = await makeTree(bench)
  const id = newId()
  const request = { id: id.toUpperCase(), type, parentId: figure.id }
  assert.equal((await bench.client.reserve(request, ada)).id, id)
  const taken = { code: 'AlreadyExists', error: 'duplicate_client_id' } as const
  await refused(bench.client.reserve(request, ada), taken)
  await bench.client.activate({ id }, ada)
  await refused(bench.client.reserve(request, ada), taken)
  await bench.client.deleteNode({ id }, ada)
  await refused(bench.client.reserve(request, ada), taken)
  // A stranger does not learn that it is taken.
  await refused(bench.client.reserve(request, bob), denied)
})

test('bad input names its field and writes nothing', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const untouched = await contents(bench)
  const parentId = figure.id
  const cases = [
    ['client_id', { id: 'x', type, parentId }],
    ['client_id', { id: '', type, parentId }],
    ['type', { parentId }],
    ['type', { type: FIGURE, parentId }],
    ['type', { type: ANALYSIS, parentId }],
    ['figure', { type }],
    ['figure', { type, parentId: 'x' }],
    ['figure', { type, parentId: newId() }],
    ['figure', { type, parentId: analysis.id }],
    ['figure', { type, parentId: workspace.id }],
  ] as const
  for (const [field, request] of cases) {
    await refused(bench.client.reserve(request, ada), { code: 'InvalidArgument', field })
  }
  for (const parent of [figure.id, newId(), 'x']) {
    await refused(bench.client.reserve({ type, parentId: parent }, nobody), unauthenticated)
  }
  await refused(bench.client.reserve({ type, parentId }, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
})

test('a figure that is full takes no reservation', async () => {
  const { figure } = await makeTree(bench)
  await makeRevision(bench, figure.id)
  await makeRevision(bench, figure.id)
  const full = { code: 'InvalidArgument', field: 'figure' } as const
  await refused(bench.client.reserve({ type, parentId: figure.id }, ada), full)
  assert.deepEqual((await get(bench, figure)).childUpdatedBy, 'ada')
})
