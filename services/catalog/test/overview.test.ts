import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, type NodeType, Role } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  nobody,
  notFound,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { ACTIVITY_COUNT_MAX: '4' } })
})
after(() => catalog[Symbol.asyncDispose]())

async function overviewOf({ id: workspaceId }: Node, as = ada) {
  const { $typeName: _, ...counts } = await catalog.client.getOverview({ workspaceId }, as)
  return counts
}

async function recentOf({ id }: Node, type: NodeType, pageSize = 0, as = ada) {
  const { nodes } = await catalog.client.listRecent({ workspaceId: id, type, pageSize }, as)
  return nodes.map((node) => node.id)
}

test('counts the nodes of a workspace by type, before and after folds', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const second = await createNode(catalog, ANALYSIS, workspace.id)
  await createNode(catalog, FIGURE, analysis.id)
  await createNode(catalog, FIGURE, second.id)
  await createNode(catalog, ASSET, workspace.id)
  await createRevision(catalog, figure.id, [1n])
  const counts = async () => {
    const before = await overviewOf(workspace)
    await catalog.fold()
    assert.deepEqual(await overviewOf(workspace), before)
    const { activeThisWeek: _, ...rest } = before
    return Object.values(rest)
  }
  assert.deepEqual(await counts(), [2, 3, 1, 0])
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  assert.deepEqual(await counts(), [1, 1, 1, 0])
  const elsewhere = await createTree(catalog)
  await catalog.client.updateNode({ id: second.id, parentId: elsewhere.workspace.id }, ada)
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  assert.deepEqual(Object.values(await overviewOf(elsewhere.workspace)).slice(0, 3), [2, 2, 0])
})

test('counts nodes with activity in the last seven days, up to a maximum', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const active = async () => (await overviewOf(workspace)).activeThisWeek
  assert.equal(await active(), 3)
  await catalog.fold()
  assert.equal(await active(), 3)
  await catalog.query(`update node set created_on = now() - interval '8 days'
    where workspace_id = '${workspace.id}'`)
  await catalog.query(`update node_stat set child_updated_on = now() - interval '8 days'
    where workspace_id = '${workspace.id}'`)
  assert.equal(await active(), 0)
  await catalog.client.updateNode({ id: asset.id, name: 'other' }, ada)
  assert.equal(await active(), 1)
  await createRevision(catalog, figure.id)
  assert.equal(await active(), 3, 'includes the figure and its analysis')
  await catalog.fold()
  assert.equal(await active(), 3)
  for (let n = 0; n < 5; n++) await createNode(catalog, FIGURE, analysis.id)
  assert.equal(await active(), 4, 'ACTIVITY_COUNT_MAX')
})

test('lists the most recently active nodes first for every kind of activity, before and after folds', async () => {
  const { workspace, analysis, figure: a } = await createTree(catalog)
  const b = await createNode(catalog, FIGURE, analysis.id)
  const c = await createNode(catalog, FIGURE, analysis.id)
  const order = async (...expected: Node[]) => {
    const ids = expected.map((one) => one.id)
    assert.deepEqual(await recentOf(workspace, FIGURE), ids)
    assert.deepEqual(await recentOf(workspace, FIGURE, 1), ids.slice(0, 1))
    await catalog.fold()
    assert.deepEqual(await recentOf(workspace, FIGURE), ids)
    assert.deepEqual(await recentOf(workspace, FIGURE, 1), ids.slice(0, 1))
  }
  await order(c, b, a)
  await createRevision(catalog, a.id)
  await order(a, c, b)
  await catalog.client.updateNode({ id: b.id, name: 'other' }, ada)
  await order(b, a, c)
  await catalog.client.deleteNode({ id: a.id }, ada)
  await order(b, c)
  const elsewhere = await createTree(catalog)
  await createRevision(catalog, c.id)
  await catalog.client.updateNode({ id: c.id, parentId: elsewhere.analysis.id }, ada)
  await order(b)
  assert.deepEqual(await recentOf(elsewhere.workspace, FIGURE), [c.id, elsewhere.figure.id])
  assert.deepEqual(await recentOf(workspace, ANALYSIS), [analysis.id])
  assert.deepEqual(await recentOf(workspace, ASSET), [])
})

test('a fold that overlaps a move keeps the new workspace of the moved nodes', async () => {
  const { analysis, figure } = await createTree(catalog)
  const to = await createTree(catalog)
  for (let round = 0; round < 10; round++) {
    const parentId = round % 2 ? analysis.id : to.analysis.id
    await createRevision(catalog, figure.id)
    await Promise.all([catalog.client.updateNode({ id: figure.id, parentId }, ada), catalog.fold()])
    await catalog.fold()
    const [row] = await catalog.query<{
      same: boolean
    }>(`select s.workspace_id = n.workspace_id as same
      from node_stat s join node n on n.id = s.node_id where n.id = '${figure.id}'`)
    assert.equal(row?.same, true)
  }
})

test('both take VIEW on the workspace', async () => {
  const { workspace, analysis } = await createTree(catalog)
  await assertError(overviewOf(workspace, bob), denied)
  await assertError(recentOf(workspace, FIGURE, 0, bob), denied)
  await assertError(overviewOf(analysis), notFound)
  await assertError(recentOf(analysis, FIGURE), notFound)
  for (const id of [workspace.id, newId(), 'x']) {
    await assertError(overviewOf({ ...workspace, id }, nobody), unauthenticated)
    await assertError(recentOf({ ...workspace, id }, FIGURE, 0, nobody), unauthenticated)
  }
  await assertError(recentOf(workspace, 0), { code: 'InvalidArgument', field: 'type' })
})

test('counts contributions by day, without silent entries and those of the system', async () => {
  const eve = actAs(user('eve'))
  const of = async () => (await catalog.client.listContributions({}, eve)).days
  await catalog.client.ensurePrimaryWorkspace({ username: 'eve' }, system)
  const empty = await of()
  assert.equal(empty.length, 365)
  assert.ok(empty.every((day) => day.count === 0))
  const { node: workspace } = await catalog.client.createNode({ type: 2, name: 'w' }, eve)
  const { node: other } = await catalog.client.createNode({ type: 2, name: 'w' }, eve)
  const request = { type: ANALYSIS, parentId: workspace?.id ?? '', name: 'a' }
  const { node } = await catalog.client.createNode(request, eve)
  await catalog.client.createNode({ ...request, silent: true }, eve)
  await catalog.client.updateNode({ id: node?.id ?? '', parentId: other?.id ?? '' }, eve)
  const counts = (await of()).map((day) => day.count)
  assert.deepEqual([counts.at(-1), counts.slice(0, -1).every((n) => n === 0)], [4, true])
  await assertError(catalog.client.listContributions({}, nobody), unauthenticated)

  await catalog.query(`update activity set at = at - interval '1 day' where target_id =
    '${node?.id}' and action = 'create'`)
  assert.deepEqual((await of()).map((day) => day.count).slice(-2), [1, 3])
})

test('lists the recent nodes of all workspaces of a member, with their newest revisions', async () => {
  const fay = actAs(user('fay'))
  const type = FIGURE
  const [own, other, foreign] = [
    await createTree(catalog),
    await createTree(catalog),
    await createTree(catalog),
  ]
  for (const { workspace } of [own, other]) {
    const { id, type } = workspace
    const member = { username: 'fay', role: Role.VIEWER }
    await catalog.client.addMember({ id, type, member }, ada)
  }
  const first = await createRevision(catalog, own.figure.id)
  const second = await createRevision(catalog, own.figure.id)
  await catalog.client.setUserShare({ id: foreign.figure.id, username: 'fay', enabled: true }, ada)
  const request = { type, newestRevisions: 3 }
  const { nodes } = await catalog.client.listRecent(request, fay)
  assert.deepEqual(
    nodes.map(({ id, newestRevisionIds }) => [id, newestRevisionIds]),
    [
      [own.figure.id, [second.id, first.id]],
      [other.figure.id, []],
    ],
    'without what is only shared',
  )
  const { nodes: children } = await catalog.client.listChildren(
    { parentId: own.analysis.id, type, newestRevisions: 1 },
    fay,
  )
  assert.deepEqual(
    children.map(({ newestRevisionIds }) => newestRevisionIds),
    [[second.id]],
  )
  const one = actAs(userWithKey('fay', other.workspace.id))
  const within = await catalog.client.listRecent(request, one)
  assert.deepEqual(
    within.nodes.map(({ id }) => id),
    [other.figure.id],
  )
  await assertError(catalog.client.listRecent(request, nobody), unauthenticated)
})
