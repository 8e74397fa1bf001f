import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { actAs, newId } from '@figbase/kit'
import { PrincipalSchema } from '@figbase/proto/common'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  get,
  logOf,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  sumsOf,
  system,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { CHILDREN_MAX: '2' } })
})
after(() => bench[Symbol.asyncDispose]())

/** One of our services in the name of a user. */
const service = (username: string) => actAs(create(PrincipalSchema, { username, isSystem: true }))

async function makePending(analysisId: string, as = service('ada')) {
  const request = { type: FIGURE, parentId: analysisId, name: 'f', autoAssignPending: true }
  const { node } = await bench.client.createNode(request, as)
  assert.ok(node)
  return node
}

test('a figure waits for its assignment when a service says so, until it has ended', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  assert.equal(figure.autoAssignPending, false)
  assert.equal(
    (await makePending(analysis.id, ada)).autoAssignPending,
    false,
    'users are not heard',
  )
  await bench.client.deleteNode({ id: figure.id }, ada)
  await refused(makePending(analysis.id, service('bob')), denied)
  const made = await makePending(analysis.id)
  assert.deepEqual([made.autoAssignPending, made.createdBy], [true, 'ada'])
  assert.deepEqual(await get(bench, made), made)

  const above = await sumsOf(bench, workspace, analysis)
  const { id } = made
  for (const as of [system, ada, system]) await bench.client.endAutoAssign({ id }, as)
  assert.deepEqual(await get(bench, made), { ...made, autoAssignPending: false, version: 2 })
  assert.deepEqual(await sumsOf(bench, workspace, analysis), above)
  assert.equal((await logOf(bench, id)).length, 1)
})

test('a service chooses the id of a figure, a user does not', async () => {
  const { analysis } = await makeTree(bench)
  const request = { type: FIGURE, parentId: analysis.id, name: 'f' }
  const made = async (id: string, as: typeof ada) =>
    (await bench.client.createNode({ ...request, id }, as)).node?.id
  const id = newId()
  await refused(made('no-id', service('ada')), { code: 'InvalidArgument', field: 'id' })
  assert.equal(await made(id, service('ada')), id)
  await bench.client.deleteNode({ id }, ada)
  const other = newId()
  assert.notEqual(await made(other, ada), other)
})

test('who may not change a figure does not end it', async () => {
  const { analysis } = await makeTree(bench)
  const made = await makePending(analysis.id)
  const end = (id: string, as: typeof ada) => bench.client.endAutoAssign({ id }, as)
  await refused(end(made.id, nobody), unauthenticated)
  await refused(end(made.id, bob), denied)
  for (const id of ['x', newId(), analysis.id]) await refused(end(id, ada), notFound)
  assert.deepEqual(await get(bench, made), made)
})

test('a revision goes below another figure of its analysis with its size, once', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const made = await makePending(analysis.id)
  // It is full: that does not matter.
  await makeRevision(bench, figure.id, [1n])
  const last = await makeRevision(bench, figure.id, [2n], { position: 1 })
  const revision = await makeRevision(bench, made.id, [40n])
  const request = { id: revision.id, figureId: figure.id, position: 2 }
  const { node } = await bench.client.moveRevision(request, system)
  assert.ok(node)
  assert.deepEqual(
    [node.parentId, node.sizeBytes, node.createdOn, node.updatedBy],
    [figure.id, 40n, revision.createdOn, 'ada'],
  )
  assert.deepEqual(await get(bench, revision), node)
  const above = { childUpdatedOn: node.updatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await bench.fold()
    assert.deepEqual(await sumsOf(bench, workspace, analysis, figure, made), [
      { sizeBytes: 43n, ...above },
      { sizeBytes: 43n, ...above },
      { sizeBytes: 43n, ...above },
      { sizeBytes: 0n, ...above },
    ])
  }
  const children = await bench.client.listChildren({ parentId: figure.id, type: node.type }, ada)
  assert.deepEqual(
    children.nodes.slice(1).map((child) => child.id),
    [last.id, revision.id],
  )
  const untouched = await contents(bench)
  for (const as of [system, ada]) {
    assert.deepEqual((await bench.client.moveRevision(request, as)).node, node)
  }
  assert.deepEqual(await contents(bench), untouched)
  const { entries } = await bench.client.listActivity({ id: figure.id }, ada)
  assert.deepEqual(entries.map((entry) => [entry.action, entry.targetId, entry.actor]).at(0), [
    'move',
    revision.id,
    'ada',
  ])
  await bench.client.deleteNode({ id: made.id, silent: true }, ada)
  assert.deepEqual(await get(bench, revision), node)
})

test('at the same time it is moved once, and updates of it are not lost', async () => {
  const { analysis, figure } = await makeTree(bench)
  const made = await makePending(analysis.id)
  const { id } = await makeRevision(bench, made.id, [40n])
  const { updateId } = await bench.client.reserveUpdate({ id }, ada)
  const content = { leaves: { leaves: [{ id: newId(), sizeBytes: 9n }] }, contentVersion: 2 }
  await Promise.all([
    ...Array.from({ length: 4 }, () =>
      bench.client.moveRevision({ id, figureId: figure.id, position: 2 }, system),
    ),
    bench.client.activateUpdate({ updateId, id, ...content }, ada),
  ])
  const sizes = await sumsOf(bench, analysis, figure, made)
  assert.deepEqual(
    sizes.map((sums) => sums.sizeBytes),
    [9n, 9n, 0n],
  )
  assert.deepEqual((await logOf(bench, id)).map((entry) => entry.action).sort(), [
    'create',
    'move',
    'move',
    'update',
  ])
})

test('only to a figure of the same analysis, and only by who may', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const elsewhere = await make(bench, FIGURE, (await make(bench, ANALYSIS, workspace.id)).id)
  const other = await make(bench, FIGURE, analysis.id)
  const { id } = await makeRevision(bench, figure.id)
  const untouched = await contents(bench)
  const move = (figureId: string, as = system, more: object = {}) =>
    bench.client.moveRevision({ id, figureId, ...more }, as)
  for (const figureId of ['', 'x', newId(), analysis.id, elsewhere.id]) {
    for (const as of [system, ada]) {
      await refused(move(figureId, as), { code: 'InvalidArgument', field: 'figure' })
    }
  }
  await refused(move(other.id, system, { position: -1 }), {
    code: 'InvalidArgument',
    field: 'position',
  })
  await refused(move(other.id, nobody), unauthenticated)
  await refused(move(other.id, bob), denied)
  for (const as of [system, ada]) {
    await refused(move(other.id, as, { id: newId() }), notFound)
    await refused(move(other.id, as, { id: figure.id }), notFound)
  }
  assert.deepEqual(await contents(bench), untouched)
  assert.equal((await move(other.id, ada)).node?.parentId, other.id)
})
