import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  contents,
  createRevision,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  logOf,
  nobody,
  notFound,
  startTestCatalog,
  sumsOf,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { CHILDREN_MAX: '2' } })
})
after(() => catalog[Symbol.asyncDispose]())

const type = FIGURE_REVISION

test('a reservation is invisible and does not change its ancestors', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const ancestors = [workspace, analysis, figure]
  const before = await sumsOf(catalog, ...ancestors)
  const { id, workspaceId, createdOn } = await client.reserve({ type, parentId: figure.id }, ada)
  assert.equal(workspaceId, workspace.id)
  assert.ok(createdOn)
  await assertError(client.getNode({ id, type }, ada), notFound)
  await assertError(client.checkAccess({ id, permission: Permission.VIEW }, ada), notFound)
  await assertError(client.updateNode({ id, name: 'n' }, ada), notFound)
  await assertError(client.deleteNode({ id }, ada), notFound)
  const children = await client.listChildren({ parentId: figure.id, type }, ada)
  assert.deepEqual(children.nodes, [])
  const all = await client.listNodes({ type }, ada)
  assert.deepEqual(all.nodes, [])
  assert.deepEqual(await sumsOf(catalog, ...ancestors), before)
  assert.deepEqual(await logOf(catalog, id), [])
})

test('the caller can choose an unused id', async () => {
  const { figure } = await createTree(catalog)
  const id = newId()
  const request = { id: id.toUpperCase(), type, parentId: figure.id }
  assert.equal((await catalog.client.reserve(request, ada)).id, id)
  const duplicateId = { code: 'AlreadyExists', error: 'duplicate_client_id' } as const
  await assertError(catalog.client.reserve(request, ada), duplicateId)
  await catalog.client.activate({ id }, ada)
  await assertError(catalog.client.reserve(request, ada), duplicateId)
  await catalog.client.deleteNode({ id }, ada)
  await assertError(catalog.client.reserve(request, ada), duplicateId)
  // A user without access does not learn that the id is in use.
  await assertError(catalog.client.reserve(request, bob), denied)
})

test('rejects invalid input by field, and writes nothing', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const untouched = await contents(catalog)
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
    await assertError(catalog.client.reserve(request, ada), { code: 'InvalidArgument', field })
  }
  for (const parent of [figure.id, newId(), 'x']) {
    await assertError(catalog.client.reserve({ type, parentId: parent }, nobody), unauthenticated)
  }
  await assertError(catalog.client.reserve({ type, parentId }, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
})

test('rejects a reservation in a full figure', async () => {
  const { figure } = await createTree(catalog)
  await createRevision(catalog, figure.id)
  await createRevision(catalog, figure.id)
  const full = { code: 'InvalidArgument', field: 'figure' } as const
  await assertError(catalog.client.reserve({ type, parentId: figure.id }, ada), full)
  assert.deepEqual((await get(catalog, figure)).childUpdatedBy, 'ada')
})
