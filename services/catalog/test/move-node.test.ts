import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
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
  FIGURE_REVISION,
  get,
  leaf,
  logOf,
  startTestCatalog,
  sumsOf,
  type TestCatalog,
  type Tree,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const member = (workspace: { id: string }, role: string) =>
  catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', '${role}', 'ada')`)

const idsIn = async ({ id }: { id: string }, type: Tree['figure']['type']) => {
  const { nodes } = await catalog.client.listChildren({ parentId: id, type }, ada)
  return nodes.map((node) => node.id)
}

test('moves an analysis with its subtree: sizes, lists, times and permissions', async () => {
  const { client } = catalog
  const from = await createTree(catalog)
  const to = await createTree(catalog)
  const { id } = await createRevision(catalog, from.figure.id, [5n, 7n])
  await member(to.workspace, 'viewer')
  await assertError(client.getNode({ id }, bob), denied)
  await catalog.fold()

  const request = { id: from.analysis.id, type: ANALYSIS, parentId: to.workspace.id }
  const { node } = await client.updateNode(request, ada)
  assert.ok(node)
  const { parentId, workspaceId, sizeBytes, updatedBy, version } = node
  assert.deepEqual([parentId, workspaceId, sizeBytes], [to.workspace.id, to.workspace.id, 12n])
  assert.deepEqual([updatedBy, version], ['ada', 2])
  assert.deepEqual(await get(catalog, from.analysis), node)
  for (const fold of [async () => {}, catalog.fold]) {
    await fold()
    const [left, reached] = await sumsOf(catalog, from.workspace, to.workspace)
    assert.equal(left?.sizeBytes, 0n)
    assert.equal(reached?.sizeBytes, 12n)
    for (const sums of [left, reached]) assert.deepEqual(sums?.childUpdatedOn, node.updatedOn)
    assert.deepEqual(await idsIn(from.workspace, ANALYSIS), [])
    assert.deepEqual(await idsIn(to.workspace, ANALYSIS), [node.id, to.analysis.id])
  }
  const below = await client.getNode({ id, type: FIGURE_REVISION }, bob)
  assert.equal(below.node?.workspaceId, to.workspace.id)
  assert.equal(below.node?.version, 1, 'descendants keep their version')
  const { nodes } = await client.listNodes({ type: FIGURE }, bob)
  assert.ok(nodes.some((figure) => figure.id === from.figure.id))
  await client.deleteNode({ id: from.workspace.id }, ada)
  assert.equal((await get(catalog, { id, type: FIGURE_REVISION })).id, id)
})

test('the time of a move is not before any change below the node', async () => {
  const { workspace, figure } = await createTree(catalog)
  await catalog.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    values ('${figure.id}', 0, 0, now() + interval '1 hour', 'bob')`)
  const other = await createNode(catalog, ANALYSIS, workspace.id)
  const { childUpdatedOn } = await get(catalog, figure)
  const { node } = await catalog.client.updateNode({ id: figure.id, parentId: other.id }, ada)
  assert.deepEqual(node?.updatedOn, childUpdatedOn)
  assert.deepEqual((await get(catalog, other)).childUpdatedOn, childUpdatedOn)
})

test('each place has one entry, and a move can rename the node', async () => {
  const from = await createTree(catalog)
  const to = await createTree(catalog)
  const { id } = from.figure
  const move = { id, parentId: to.analysis.id, name: 'renamed', silent: true }
  await catalog.client.updateNode(move, ada)
  const entries = (await logOf(catalog, id)).filter((row) => row.action === 'move')
  const places = entries.map((row) => [row.workspace_id, row.analysis_id, row.figure_id])
  assert.deepEqual(places, [
    [from.workspace.id, from.analysis.id, null],
    [to.workspace.id, to.analysis.id, id],
  ])
  for (const { actor, is_silent, target_name } of entries) {
    assert.deepEqual([actor, is_silent, target_name], ['ada', true, 'renamed'])
  }
  const beside = await createNode(catalog, ANALYSIS, to.workspace.id)
  await catalog.client.updateNode({ id, parentId: beside.id }, ada)
  const [left, reached] = (await logOf(catalog, id)).slice(-2)
  assert.deepEqual([left?.workspace_id, left?.analysis_id], [null, to.analysis.id])
  assert.deepEqual([reached?.workspace_id, reached?.analysis_id], [to.workspace.id, beside.id])
})

test('a move takes permissions in both places, and writes nothing without them', async () => {
  const { client } = catalog
  const mine = await createTree(catalog)
  const shared = await createTree(catalog)
  const foreign = await createTree(catalog)
  await member(mine.workspace, 'creator')
  await member(shared.workspace, 'viewer')
  const untouched = await contents(catalog)
  const figure = { id: mine.figure.id, type: FIGURE }
  for (const place of [shared, foreign]) {
    await assertError(client.updateNode({ ...figure, parentId: place.analysis.id }, bob), denied)
    const out = { id: place.figure.id, parentId: mine.analysis.id }
    await assertError(client.updateNode(out, bob), denied)
  }
  assert.deepEqual(await contents(catalog), untouched)
  await catalog.query(`update access_grant set role = 'creator'
    where subject = 'bob' and node_id = '${shared.workspace.id}'`)
  const { node } = await client.updateNode({ ...figure, parentId: shared.analysis.id }, bob)
  assert.equal(node?.workspaceId, shared.workspace.id)
})

test('rejects invalid moves by field', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const deleted = await createNode(catalog, ANALYSIS, workspace.id)
  await client.deleteNode({ id: deleted.id }, ada)
  const revision = await createRevision(catalog, figure.id, [1n])
  const untouched = await contents(catalog)
  for (const [field, id, parentId] of [
    ['analysis', figure.id, deleted.id],
    ['analysis', figure.id, workspace.id],
    ['analysis', figure.id, figure.id],
    ['analysis', figure.id, newId()],
    ['workspace', analysis.id, analysis.id],
    ['organization', workspace.id, analysis.id],
  ] as const) {
    await assertError(client.updateNode({ id, parentId }, ada), { code: 'InvalidArgument', field })
  }
  const elsewhere = { id: revision.id, parentId: newId() }
  await assertError(client.updateNode(elsewhere, ada), { code: 'InvalidArgument', field: 'type' })
  assert.deepEqual(await contents(catalog), untouched)
  const old = { id: figure.id, parentId: (await createNode(catalog, ANALYSIS, workspace.id)).id }
  const mismatch = { code: 'FailedPrecondition', error: 'version_mismatch' } as const
  await assertError(client.updateNode({ ...old, expectedVersion: 7 }, ada), mismatch)
  await client.deleteNode({ id: old.parentId }, ada)
  assert.equal((await get(catalog, figure)).parentId, analysis.id)
})

test('a reservation moves with its figure, and is activated in the new place', async () => {
  const { client } = catalog
  const from = await createTree(catalog)
  const to = await createTree(catalog)
  const { id } = await client.reserve({ type: FIGURE_REVISION, parentId: from.figure.id }, ada)
  await client.updateNode({ id: from.figure.id, parentId: to.analysis.id }, ada)
  const { node } = await client.activate({ id, leaves: [leaf(9n)] }, ada)
  assert.equal(node?.workspaceId, to.workspace.id)
  const sums = await sumsOf(catalog, from.workspace, from.analysis, to.workspace, to.analysis)
  assert.deepEqual(
    sums.map((one) => one.sizeBytes),
    [0n, 0n, 9n, 9n],
  )
})

test('concurrent moves back and forth are atomic', async () => {
  const { client } = catalog
  const places = [await createTree(catalog), await createTree(catalog), await createTree(catalog)]
  const { id } = await createNode(catalog, FIGURE, places[0]?.analysis.id)
  await createRevision(catalog, id, [3n])
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      ...places.map(({ analysis }) => client.updateNode({ id, parentId: analysis.id }, ada)),
      createRevision(catalog, id, [3n]),
    ])
  }
  const { parentId, sizeBytes } = await get(catalog, { id, type: FIGURE })
  assert.equal(sizeBytes, 18n)
  for (const { analysis, workspace } of places) {
    const isThere = analysis.id === parentId
    const [of, above] = await sumsOf(catalog, analysis, workspace)
    assert.equal(of?.sizeBytes, isThere ? 18n : 0n)
    assert.equal(above?.sizeBytes, isThere ? 18n : 0n)
    assert.equal((await idsIn(analysis, FIGURE)).includes(id), isThere)
  }
})
