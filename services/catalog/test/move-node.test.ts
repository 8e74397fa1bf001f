import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
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
  leaf,
  logOf,
  make,
  makeRevision,
  makeTree,
  refused,
  startBench,
  sumsOf,
  type Tree,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const member = (workspace: { id: string }, role: string) =>
  bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', '${role}', 'ada')`)

const idsIn = async ({ id }: { id: string }, type: Tree['figure']['type']) => {
  const { nodes } = await bench.client.listChildren({ parentId: id, type }, ada)
  return nodes.map((node) => node.id)
}

test('an analysis goes with all below it: sizes, lists, times and permissions follow', async () => {
  const { client } = bench
  const from = await makeTree(bench)
  const to = await makeTree(bench)
  const { id } = await makeRevision(bench, from.figure.id, [5n, 7n])
  await member(to.workspace, 'viewer')
  await refused(client.getNode({ id }, bob), denied)
  await bench.fold()

  const request = { id: from.analysis.id, type: ANALYSIS, parentId: to.workspace.id }
  const { node } = await client.updateNode(request, ada)
  assert.ok(node)
  const { parentId, workspaceId, sizeBytes, updatedBy, version } = node
  assert.deepEqual([parentId, workspaceId, sizeBytes], [to.workspace.id, to.workspace.id, 12n])
  assert.deepEqual([updatedBy, version], ['ada', 2])
  assert.deepEqual(await get(bench, from.analysis), node)
  for (const fold of [async () => {}, bench.fold]) {
    await fold()
    const [left, reached] = await sumsOf(bench, from.workspace, to.workspace)
    assert.equal(left?.sizeBytes, 0n)
    assert.equal(reached?.sizeBytes, 12n)
    for (const sums of [left, reached]) assert.deepEqual(sums?.childUpdatedOn, node.updatedOn)
    assert.deepEqual(await idsIn(from.workspace, ANALYSIS), [])
    assert.deepEqual(await idsIn(to.workspace, ANALYSIS), [node.id, to.analysis.id])
  }
  const below = await client.getNode({ id, type: FIGURE_REVISION }, bob)
  assert.equal(below.node?.workspaceId, to.workspace.id)
  assert.equal(below.node?.version, 1, 'what is below is not changed itself')
  const { nodes } = await client.listNodes({ type: FIGURE }, bob)
  assert.ok(nodes.some((figure) => figure.id === from.figure.id))
  await client.deleteNode({ id: from.workspace.id }, ada)
  assert.equal((await get(bench, { id, type: FIGURE_REVISION })).id, id)
})

test('its time is not before what happened below it', async () => {
  const { workspace, figure } = await makeTree(bench)
  await bench.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    values ('${figure.id}', 0, 0, now() + interval '1 hour', 'bob')`)
  const other = await make(bench, ANALYSIS, workspace.id)
  const { childUpdatedOn } = await get(bench, figure)
  const { node } = await bench.client.updateNode({ id: figure.id, parentId: other.id }, ada)
  assert.deepEqual(node?.updatedOn, childUpdatedOn)
  assert.deepEqual((await get(bench, other)).childUpdatedOn, childUpdatedOn)
})

test('each place has one entry, and a name may change on the way', async () => {
  const from = await makeTree(bench)
  const to = await makeTree(bench)
  const { id } = from.figure
  const move = { id, parentId: to.analysis.id, name: 'renamed', silent: true }
  await bench.client.updateNode(move, ada)
  const entries = (await logOf(bench, id)).filter((row) => row.action === 'move')
  const places = entries.map((row) => [row.workspace_id, row.analysis_id, row.figure_id])
  assert.deepEqual(places, [
    [from.workspace.id, from.analysis.id, null],
    [to.workspace.id, to.analysis.id, id],
  ])
  for (const { actor, is_silent, target_name } of entries) {
    assert.deepEqual([actor, is_silent, target_name], ['ada', true, 'renamed'])
  }
  const beside = await make(bench, ANALYSIS, to.workspace.id)
  await bench.client.updateNode({ id, parentId: beside.id }, ada)
  const [left, reached] = (await logOf(bench, id)).slice(-2)
  assert.deepEqual([left?.workspace_id, left?.analysis_id], [null, to.analysis.id])
  assert.deepEqual([reached?.workspace_id, reached?.analysis_id], [to.workspace.id, beside.id])
})

test('rights are needed in both places, and nothing is written without them', async () => {
  const { client } = bench
  const mine = await makeTree(bench)
  const shared = await makeTree(bench)
  const foreign = await makeTree(bench)
  await member(mine.workspace, 'creator')
  await member(shared.workspace, 'viewer')
  const untouched = await contents(bench)
  const figure = { id: mine.figure.id, type: FIGURE }
  for (const place of [shared, foreign]) {
    await refused(client.updateNode({ ...figure, parentId: place.analysis.id }, bob), denied)
    const out = { id: place.figure.id, parentId: mine.analysis.id }
    await refused(client.updateNode(out, bob), denied)
  }
  assert.deepEqual(await contents(bench), untouched)
  await bench.query(`update access_grant set role = 'creator'
    where subject = 'bob' and node_id = '${shared.workspace.id}'`)
  const { node } = await client.updateNode({ ...figure, parentId: shared.analysis.id }, bob)
  assert.equal(node?.workspaceId, shared.workspace.id)
})

test('what cannot move, and where nothing can go, is refused with the name of the member', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const gone = await make(bench, ANALYSIS, workspace.id)
  await client.deleteNode({ id: gone.id }, ada)
  const revision = await makeRevision(bench, figure.id, [1n])
  const untouched = await contents(bench)
  for (const [field, id, parentId] of [
    ['analysis', figure.id, gone.id],
    ['analysis', figure.id, workspace.id],
    ['analysis', figure.id, figure.id],
    ['analysis', figure.id, newId()],
    ['workspace', analysis.id, analysis.id],
    ['organization', workspace.id, analysis.id],
  ] as const) {
    await refused(client.updateNode({ id, parentId }, ada), { code: 'InvalidArgument', field })
  }
  const elsewhere = { id: revision.id, parentId: newId() }
  await refused(client.updateNode(elsewhere, ada), { code: 'InvalidArgument', field: 'type' })
  assert.deepEqual(await contents(bench), untouched)
  const old = { id: figure.id, parentId: (await make(bench, ANALYSIS, workspace.id)).id }
  const mismatch = { code: 'FailedPrecondition', error: 'version_mismatch' } as const
  await refused(client.updateNode({ ...old, expectedVersion: 7 }, ada), mismatch)
  await client.deleteNode({ id: old.parentId }, ada)
  assert.equal((await get(bench, figure)).parentId, analysis.id)
})

test('a reservation goes with its figure, and is activated where that is', async () => {
  const { client } = bench
  const from = await makeTree(bench)
  const to = await makeTree(bench)
  const { id } = await client.reserve({ type: FIGURE_REVISION, parentId: from.figure.id }, ada)
  await client.updateNode({ id: from.figure.id, parentId: to.analysis.id }, ada)
  const { node } = await client.activate({ id, leaves: [leaf(9n)] }, ada)
  assert.equal(node?.workspaceId, to.workspace.id)
  const sums = await sumsOf(bench, from.workspace, from.analysis, to.workspace, to.analysis)
  assert.deepEqual(
    sums.map((one) => one.sizeBytes),
    [0n, 0n, 9n, 9n],
  )
})

test('of moves to and fro at the same time, each is whole', async () => {
  const { client } = bench
  const places = [await makeTree(bench), await makeTree(bench), await makeTree(bench)]
  const { id } = await make(bench, FIGURE, places[0]?.analysis.id)
  await makeRevision(bench, id, [3n])
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      ...places.map(({ analysis }) => client.updateNode({ id, parentId: analysis.id }, ada)),
      makeRevision(bench, id, [3n]),
    ])
  }
  const { parentId, sizeBytes } = await get(bench, { id, type: FIGURE })
  assert.equal(sizeBytes, 18n)
  for (const { analysis, workspace } of places) {
    const isThere = analysis.id === parentId
    const [of, above] = await sumsOf(bench, analysis, workspace)
    assert.equal(of?.sizeBytes, isThere ? 18n : 0n)
    assert.equal(above?.sizeBytes, isThere ? 18n : 0n)
    assert.equal((await idsIn(analysis, FIGURE)).includes(id), isThere)
  }
})
