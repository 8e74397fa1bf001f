import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { newId } from '@figbase/kit/ids'
import { actAs } from '@figbase/kit/rpc'
import { PrincipalSchema } from '@figbase/proto/common'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  get,
  logOf,
  nobody,
  notFound,
  startTestCatalog,
  sumsOf,
  system,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { CHILDREN_MAX: '2' } })
})
after(() => catalog[Symbol.asyncDispose]())

/** A Figbase service that acts on behalf of a user. */
const service = (username: string) => actAs(create(PrincipalSchema, { username, isSystem: true }))

async function createPending(analysisId: string, as = service('ada')) {
  const request = { type: FIGURE, parentId: analysisId, name: 'f', autoAssignPending: true }
  const { node } = await catalog.client.createNode(request, as)
  assert.ok(node)
  return node
}

test('a service can create a figure with auto-assignment pending, and end it', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  assert.equal(figure.autoAssignPending, false)
  assert.equal(
    (await createPending(analysis.id, ada)).autoAssignPending,
    false,
    'the field is ignored for users',
  )
  await catalog.client.deleteNode({ id: figure.id }, ada)
  await assertError(createPending(analysis.id, service('bob')), denied)
  const made = await createPending(analysis.id)
  assert.deepEqual([made.autoAssignPending, made.createdBy], [true, 'ada'])
  assert.deepEqual(await get(catalog, made), made)

  const above = await sumsOf(catalog, workspace, analysis)
  const { id } = made
  for (const as of [system, ada, system]) await catalog.client.endAutoAssign({ id }, as)
  assert.deepEqual(await get(catalog, made), { ...made, autoAssignPending: false, version: 2 })
  assert.deepEqual(await sumsOf(catalog, workspace, analysis), above)
  assert.equal((await logOf(catalog, id)).length, 1)
})

test('a service can choose the id of a figure, a user cannot', async () => {
  const { analysis } = await createTree(catalog)
  const request = { type: FIGURE, parentId: analysis.id, name: 'f' }
  const made = async (id: string, as: typeof ada) =>
    (await catalog.client.createNode({ ...request, id }, as)).node?.id
  const id = newId()
  await assertError(made('no-id', service('ada')), { code: 'InvalidArgument', field: 'id' })
  assert.equal(await made(id, service('ada')), id)
  await catalog.client.deleteNode({ id }, ada)
  const other = newId()
  assert.notEqual(await made(other, ada), other)
})

test('ending auto-assignment takes UPDATE on the figure', async () => {
  const { analysis } = await createTree(catalog)
  const made = await createPending(analysis.id)
  const end = (id: string, as: typeof ada) => catalog.client.endAutoAssign({ id }, as)
  await assertError(end(made.id, nobody), unauthenticated)
  await assertError(end(made.id, bob), denied)
  for (const id of ['x', newId(), analysis.id]) await assertError(end(id, ada), notFound)
  assert.deepEqual(await get(catalog, made), made)
})

test('moves a revision with its size to another figure of its analysis, idempotently', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const made = await createPending(analysis.id)
  // MoveRevision ignores CHILDREN_MAX.
  await createRevision(catalog, figure.id, [1n])
  const last = await createRevision(catalog, figure.id, [2n], { position: 1 })
  const revision = await createRevision(catalog, made.id, [40n])
  const request = { id: revision.id, figureId: figure.id, position: 2 }
  const { node } = await catalog.client.moveRevision(request, system)
  assert.ok(node)
  assert.deepEqual(
    [node.parentId, node.sizeBytes, node.createdOn, node.updatedBy],
    [figure.id, 40n, revision.createdOn, 'ada'],
  )
  assert.deepEqual(await get(catalog, revision), node)
  const above = { childUpdatedOn: node.updatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    assert.deepEqual(await sumsOf(catalog, workspace, analysis, figure, made), [
      { sizeBytes: 43n, ...above },
      { sizeBytes: 43n, ...above },
      { sizeBytes: 43n, ...above },
      { sizeBytes: 0n, ...above },
    ])
  }
  const children = await catalog.client.listChildren({ parentId: figure.id, type: node.type }, ada)
  assert.deepEqual(
    children.nodes.slice(1).map((child) => child.id),
    [last.id, revision.id],
  )
  const untouched = await contents(catalog)
  for (const as of [system, ada]) {
    assert.deepEqual((await catalog.client.moveRevision(request, as)).node, node)
  }
  assert.deepEqual(await contents(catalog), untouched)
  const { entries } = await catalog.client.listActivity({ id: figure.id }, ada)
  assert.deepEqual(entries.map((entry) => [entry.action, entry.targetId, entry.actor]).at(0), [
    'move',
    revision.id,
    'ada',
  ])
  await catalog.client.deleteNode({ id: made.id, silent: true }, ada)
  assert.deepEqual(await get(catalog, revision), node)
})

test('concurrent moves of a revision move it once and lose no updates', async () => {
  const { analysis, figure } = await createTree(catalog)
  const made = await createPending(analysis.id)
  const { id } = await createRevision(catalog, made.id, [40n])
  const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
  const content = { leaves: { leaves: [{ id: newId(), sizeBytes: 9n }] }, contentVersion: 2 }
  await Promise.all([
    ...Array.from({ length: 4 }, () =>
      catalog.client.moveRevision({ id, figureId: figure.id, position: 2 }, system),
    ),
    catalog.client.activateUpdate({ updateId, id, ...content }, ada),
  ])
  const sizes = await sumsOf(catalog, analysis, figure, made)
  assert.deepEqual(
    sizes.map((sums) => sums.sizeBytes),
    [9n, 9n, 0n],
  )
  assert.deepEqual((await logOf(catalog, id)).map((entry) => entry.action).sort(), [
    'create',
    'move',
    'move',
    'update',
  ])
})

test('a revision can only move within its analysis, with permission on both figures', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const elsewhere = await createNode(
    catalog,
    FIGURE,
    (await createNode(catalog, ANALYSIS, workspace.id)).id,
  )
  const other = await createNode(catalog, FIGURE, analysis.id)
  const { id } = await createRevision(catalog, figure.id)
  const untouched = await contents(catalog)
  const move = (figureId: string, as = system, more: object = {}) =>
    catalog.client.moveRevision({ id, figureId, ...more }, as)
  for (const figureId of ['', 'x', newId(), analysis.id, elsewhere.id]) {
    for (const as of [system, ada]) {
      await assertError(move(figureId, as), { code: 'InvalidArgument', field: 'figure' })
    }
  }
  await assertError(move(other.id, system, { position: -1 }), {
    code: 'InvalidArgument',
    field: 'position',
  })
  await assertError(move(other.id, nobody), unauthenticated)
  await assertError(move(other.id, bob), denied)
  for (const as of [system, ada]) {
    await assertError(move(other.id, as, { id: newId() }), notFound)
    await assertError(move(other.id, as, { id: figure.id }), notFound)
  }
  assert.deepEqual(await contents(catalog), untouched)
  assert.equal((await move(other.id, ada)).node?.parentId, other.id)
})
