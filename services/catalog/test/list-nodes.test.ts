import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { ChildOrder, type Node, type NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  FIGURE,
  FIGURE_REVISION,
  get,
  nobody,
  ORGANIZATION,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function all(type: NodeType, pageSize = 1000, as = ada) {
  const nodes: Node[] = []
  let pageToken = ''
  do {
    const page = await catalog.client.listNodes({ type, pageSize, pageToken }, as)
    nodes.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  return nodes
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

test('lists visible nodes of all workspaces, oldest first', async () => {
  const before = await all(FIGURE_REVISION)
  const one = await createTree(catalog)
  const other = await createTree(catalog)
  const first = await createRevision(catalog, other.figure.id, [1n], { position: 9 })
  const second = await createRevision(catalog, one.figure.id, [2n])
  const third = await createRevision(catalog, other.figure.id, [3n])
  await catalog.client.reserve({ type: FIGURE_REVISION, parentId: one.figure.id }, ada)
  const listed = (await all(FIGURE_REVISION)).slice(before.length)
  assert.deepEqual(listed, [first, second, third])
  const [last] = (await all(WORKSPACE)).slice(-1)
  assert.deepEqual(last, await get(catalog, other.workspace))
  assert.deepEqual(await all(FIGURE_REVISION, 1000, bob), [])
})

test("a member lists the nodes of the workspace, but not those of its owner's other workspaces", async () => {
  const { workspace, figure } = await createTree(catalog)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', 'viewer', 'ada')`)
  assert.deepEqual(idsOf(await all(WORKSPACE, 1000, bob)), [workspace.id])
  assert.deepEqual(idsOf(await all(FIGURE, 1000, bob)), [figure.id])
})

test('lists shared nodes and their descendants once', async () => {
  const eve = actAs(user('eve'))
  const one = await createTree(catalog)
  const other = await createTree(catalog)
  const shared = async ({ id }: Node, kind = 'share', subject = 'eve') =>
    catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('${subject}', '${id}', '${kind}', 'viewer', 'ada')`)
  const revisions = [
    await createRevision(catalog, one.figure.id),
    await createRevision(catalog, other.figure.id, [], { position: 2 }),
    await createRevision(catalog, other.figure.id, [], { position: 1 }),
  ]
  await createRevision(catalog, (await createNode(catalog, FIGURE, other.analysis.id)).id)
  await shared(one.analysis)
  await shared(one.figure)
  await shared(other.figure)
  if (revisions[2]) await shared(revisions[2])
  const linked = await createTree(catalog)
  await shared(linked.analysis, 'link', '')

  assert.deepEqual(await all(ANALYSIS, 1000, eve), [await get(catalog, one.analysis)])
  assert.deepEqual(idsOf(await all(FIGURE, 1000, eve)), [one.figure.id, other.figure.id])
  for (const pageSize of [1, 2, 1000]) {
    assert.deepEqual(idsOf(await all(FIGURE_REVISION, pageSize, eve)), idsOf(revisions))
  }
  assert.deepEqual(await all(WORKSPACE, 1000, eve), [], 'a share does not list the workspace')
})

test('an organization member lists the nodes of its workspaces once', async () => {
  const fay = actAs(user('fay'))
  const one = await createTree(catalog)
  const other = await createTree(catalog)
  const outside = await createTree(catalog)
  const organizationId = newId()
  await catalog.query(`update node set organization_id = '${organizationId}'
    where id in ('${one.workspace.id}', '${other.workspace.id}')`)
  for (const id of [organizationId, one.workspace.id]) {
    await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('fay', '${id}', 'member', 'viewer', 'ada')`)
  }
  const expected = [one, other]
  assert.deepEqual(
    idsOf(await all(WORKSPACE, 1, fay)),
    expected.map(({ workspace }) => workspace.id),
  )
  const figures = idsOf(await all(FIGURE, 1000, fay))
  assert.deepEqual(
    figures,
    expected.map(({ figure }) => figure.id),
  )
  assert.ok(!figures.includes(outside.figure.id))
})

test('pages over several workspaces neither skip nor repeat nodes of the same microsecond', async () => {
  for (let n = 0; n < 3; n++) {
    const { workspace } = await createTree(catalog)
    for (let m = 0; m < 4; m++) await createNode(catalog, ANALYSIS, workspace.id)
  }
  await catalog.query(`update node set created_on = '2026-11-21 12:00:00.000001+00'
    where type = 'analysis' and seq % 5 <> 0`)
  const rows = await catalog.query<{ id: string }>(
    `select id from node where type = 'analysis' order by created_on, seq`,
  )
  const ids = rows.map((row) => row.id)
  assert.ok(ids.length >= 15)
  for (const pageSize of [1, 4, 7, 1000])
    assert.deepEqual(idsOf(await all(ANALYSIS, pageSize)), ids)
})

test('does not list deleted nodes and their descendants', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await catalog.client.deleteNode({ id: workspace.id }, ada)
  for (const { id, type } of [workspace, analysis, figure, revision]) {
    assert.ok(!idsOf(await all(type)).includes(id))
  }
})

test('rejects anonymous callers, missing types and invalid page tokens', async () => {
  for (const as of [nobody, system]) {
    await assertError(catalog.client.listNodes({}, as), unauthenticated)
    await assertError(catalog.client.listNodes({ type: WORKSPACE }, as), unauthenticated)
  }
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await assertError(catalog.client.listNodes({}, ada), bad('type'))
  const request = { type: WORKSPACE, pageToken: 'x' }
  await assertError(catalog.client.listNodes(request, ada), bad('page_token'))
})

test('workspaces and organizations are listed in each order, and filtered, page by page', async () => {
  const gil = actAs(user('gil'))
  const create = async (type: NodeType, name: string, parentId = '') => {
    const { node } = await catalog.client.createNode({ type, name, parentId }, gil)
    return node?.id ?? ''
  }
  const listed = async (type: NodeType, order: ChildOrder, pageSize: number, filter = {}) => {
    const names: string[] = []
    let pageToken = ''
    do {
      const request = { type, order, filter, pageSize, pageToken }
      const page = await catalog.client.listNodes(request, gil)
      assert.ok(page.nodes.length <= pageSize)
      names.push(...page.nodes.map(({ name }) => name))
      pageToken = page.nextPageToken
    } while (pageToken)
    return names
  }
  const organizations = new Map<string, string>()
  for (const name of ['beta', 'Äther', 'alpha']) {
    organizations.set(name, await create(ORGANIZATION, name))
  }
  const workspaces = new Map<string, string>()
  for (const name of ['beta', 'Äther', 'alpha']) {
    workspaces.set(name, await create(WORKSPACE, name))
  }
  // The workspace changes its organization, the analysis its workspace.
  const inOrganization = organizations.get('Äther')
  workspaces.set('one', await create(WORKSPACE, 'one', inOrganization))
  await create(ANALYSIS, 'Analysis', workspaces.get('Äther'))
  const { NAME, NEWEST, CHANGED, UNSPECIFIED } = ChildOrder
  for (const pageSize of [1, 2, 100]) {
    const of = (type: NodeType, order: ChildOrder, filter = {}) =>
      listed(type, order, pageSize, filter)
    assert.deepEqual(await of(ORGANIZATION, NAME), ['alpha', 'Äther', 'beta'])
    assert.deepEqual(await of(ORGANIZATION, NEWEST), ['alpha', 'Äther', 'beta'])
    assert.deepEqual(await of(ORGANIZATION, CHANGED), ['Äther', 'alpha', 'beta'])
    assert.deepEqual(await of(WORKSPACE, UNSPECIFIED), ['beta', 'Äther', 'alpha', 'one'])
    assert.deepEqual(await of(WORKSPACE, NAME), ['alpha', 'Äther', 'beta', 'one'])
    assert.deepEqual(await of(WORKSPACE, NEWEST), ['one', 'alpha', 'Äther', 'beta'])
    assert.deepEqual(await of(WORKSPACE, CHANGED), ['Äther', 'one', 'alpha', 'beta'])
    assert.deepEqual(await of(WORKSPACE, CHANGED, { words: ['ÄTH'] }), ['Äther'])
    assert.deepEqual(await of(ORGANIZATION, UNSPECIFIED, { createdBy: 'ada' }), [])
  }
  const request = { type: WORKSPACE, pageSize: 1, order: NAME }
  const { nextPageToken: pageToken } = await catalog.client.listNodes(request, gil)
  for (const [changed, field] of [
    [{ order: 9 }, 'order'],
    [{ order: NEWEST, pageToken }, 'page_token'],
    [{ filter: { createdBy: 'a'.repeat(101) } }, 'created_by'],
    [{ type: FIGURE }, 'type'],
    [{ updatedAfter: { seconds: 1n } }, 'updated_after'],
  ] as [object, string][]) {
    const refused = catalog.client.listNodes({ ...request, ...changed }, gil)
    await assertError(refused, { code: 'InvalidArgument', field })
  }
})
