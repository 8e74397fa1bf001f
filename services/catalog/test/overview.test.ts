import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, newId, user } from '@figbase/kit'
import type { Node, NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  system,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { ACTIVITY_COUNT_MAX: '4' } })
})
after(() => bench[Symbol.asyncDispose]())

async function overviewOf({ id: workspaceId }: Node, as = ada) {
  const { $typeName: _, ...counts } = await bench.client.getOverview({ workspaceId }, as)
  return counts
}

async function recentOf({ id }: Node, type: NodeType, pageSize = 0, as = ada) {
  const { nodes } = await bench.client.listRecent({ workspaceId: id, type, pageSize }, as)
  return nodes.map((node) => node.id)
}

test('what is in a workspace is counted by type, at once and after folds', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const second = await make(bench, ANALYSIS, workspace.id)
  await make(bench, FIGURE, analysis.id)
  await make(bench, FIGURE, second.id)
  await make(bench, ASSET, workspace.id)
  await makeRevision(bench, figure.id, [1n])
  const counts = async () => {
    const before = await overviewOf(workspace)
    await bench.fold()
    assert.deepEqual(await overviewOf(workspace), before)
    const { activeThisWeek: _, ...rest } = before
    return Object.values(rest)
  }
  assert.deepEqual(await counts(), [2, 3, 1, 0])
  await bench.client.deleteNode({ id: analysis.id }, ada)
  assert.deepEqual(await counts(), [1, 1, 1, 0])
  const elsewhere = await makeTree(bench)
  await bench.client.updateNode({ id: second.id, parentId: elsewhere.workspace.id }, ada)
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  assert.deepEqual(Object.values(await overviewOf(elsewhere.workspace)).slice(0, 3), [2, 2, 0])
})

test('what was active in the last seven days is counted, to a bound', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const active = async () => (await overviewOf(workspace)).activeThisWeek
  assert.equal(await active(), 3)
  await bench.fold()
  assert.equal(await active(), 3)
  await bench.query(`update node set created_on = now() - interval '8 days'
    where workspace_id = '${workspace.id}'`)
  await bench.query(`update node_stat set child_updated_on = now() - interval '8 days'
    where workspace_id = '${workspace.id}'`)
  assert.equal(await active(), 0)
  await bench.client.updateNode({ id: asset.id, name: 'other' }, ada)
  assert.equal(await active(), 1)
  await makeRevision(bench, figure.id)
  assert.equal(await active(), 3, 'the figure and its analysis too')
  await bench.fold()
  assert.equal(await active(), 3)
  for (let n = 0; n < 5; n++) await make(bench, FIGURE, analysis.id)
  assert.equal(await active(), 4, 'ACTIVITY_COUNT_MAX')
})

test('what was active last comes first, by whatever it was active, folded or not', async () => {
  const { workspace, analysis, figure: a } = await makeTree(bench)
  const b = await make(bench, FIGURE, analysis.id)
  const c = await make(bench, FIGURE, analysis.id)
  const order = async (...expected: Node[]) => {
    const ids = expected.map((one) => one.id)
    assert.deepEqual(await recentOf(workspace, FIGURE), ids)
    assert.deepEqual(await recentOf(workspace, FIGURE, 1), ids.slice(0, 1))
    await bench.fold()
    assert.deepEqual(await recentOf(workspace, FIGURE), ids)
    assert.deepEqual(await recentOf(workspace, FIGURE, 1), ids.slice(0, 1))
  }
  await order(c, b, a)
  await makeRevision(bench, a.id)
  await order(a, c, b)
  await bench.client.updateNode({ id: b.id, name: 'other' }, ada)
  await order(b, a, c)
  await bench.client.deleteNode({ id: a.id }, ada)
  await order(b, c)
  const elsewhere = await makeTree(bench)
  await makeRevision(bench, c.id)
  await bench.client.updateNode({ id: c.id, parentId: elsewhere.analysis.id }, ada)
  await order(b)
  assert.deepEqual(await recentOf(elsewhere.workspace, FIGURE), [c.id, elsewhere.figure.id])
  assert.deepEqual(await recentOf(workspace, ANALYSIS), [analysis.id])
  assert.deepEqual(await recentOf(workspace, ASSET), [])
})

test('a fold that overlaps a move leaves the moved where it is found', async () => {
  const { analysis, figure } = await makeTree(bench)
  const to = await makeTree(bench)
  for (let round = 0; round < 10; round++) {
    const parentId = round % 2 ? analysis.id : to.analysis.id
    await makeRevision(bench, figure.id)
    await Promise.all([bench.client.updateNode({ id: figure.id, parentId }, ada), bench.fold()])
    await bench.fold()
    const [row] = await bench.query<{
      same: boolean
    }>(`select s.workspace_id = n.workspace_id as same
      from node_stat s join node n on n.id = s.node_id where n.id = '${figure.id}'`)
    assert.equal(row?.same, true)
  }
})

test('both are for whoever may view the workspace', async () => {
  const { workspace, analysis } = await makeTree(bench)
  await refused(overviewOf(workspace, bob), denied)
  await refused(recentOf(workspace, FIGURE, 0, bob), denied)
  await refused(overviewOf(analysis), notFound)
  await refused(recentOf(analysis, FIGURE), notFound)
  for (const id of [workspace.id, newId(), 'x']) {
    await refused(overviewOf({ ...workspace, id }, nobody), unauthenticated)
    await refused(recentOf({ ...workspace, id }, FIGURE, 0, nobody), unauthenticated)
  }
  await refused(recentOf(workspace, 0), { code: 'InvalidArgument', field: 'type' })
})

test('contributions are counted by day, what is silent and what the system did left out', async () => {
  const eve = actAs(user('eve'))
  const of = async () => (await bench.client.listContributions({}, eve)).days
  await bench.client.ensurePrimaryWorkspace({ username: 'eve' }, system)
  const empty = await of()
  assert.equal(empty.length, 365)
  assert.ok(empty.every((day) => day.count === 0))
  const { node: workspace } = await bench.client.createNode({ type: 2, name: 'w' }, eve)
  const { node: other } = await bench.client.createNode({ type: 2, name: 'w' }, eve)
  const request = { type: ANALYSIS, parentId: workspace?.id ?? '', name: 'a' }
  const { node } = await bench.client.createNode(request, eve)
  await bench.client.createNode({ ...request, silent: true }, eve)
  await bench.client.updateNode({ id: node?.id ?? '', parentId: other?.id ?? '' }, eve)
  const counts = (await of()).map((day) => day.count)
  assert.deepEqual([counts.at(-1), counts.slice(0, -1).every((n) => n === 0)], [4, true])
  await refused(bench.client.listContributions({}, nobody), unauthenticated)

  await bench.query(`update activity set at = at - interval '1 day' where target_id =
    '${node?.id}' and action = 'create'`)
  assert.deepEqual((await of()).map((day) => day.count).slice(-2), [1, 3])
})
