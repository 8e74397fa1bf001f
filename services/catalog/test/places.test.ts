import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallOptions } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { plansOf, userWithKey } from '@figbase/kit/testing'
import { subjectFor } from '../src/domain/subject.js'
import { listReadableRoots } from '../src/queries/places.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  grant,
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

const rootsOf = async (as: CallOptions, workspaceId = '') => {
  const found = await catalog.client.listReadableRoots({ workspaceId }, as)
  return { roots: found.rootIds.sort(), recent: found.recentlyPlacedIds.sort() }
}

test('the roots are workspaces and shared nodes, without links, deleted and organizations', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const inside = await createNode(catalog, WORKSPACE, organization.id)
  const own = await createTree(catalog)
  const linked = await createTree(catalog)
  const gone = await createTree(catalog)
  await grant(catalog, 'cyd', organization, 'workspace_viewer')
  await grant(catalog, 'cyd', own.workspace, 'viewer')
  await grant(catalog, 'cyd', gone.workspace, 'viewer')
  const shared = await createTree(catalog)
  await catalog.client.setUserShare({ id: shared.figure.id, username: 'cyd', enabled: true }, ada)
  await catalog.client.setLinkShare({ id: linked.figure.id, enabled: true }, ada)
  await catalog.client.deleteNode({ id: gone.workspace.id }, ada)
  const roots = [inside.id, own.workspace.id, shared.figure.id].sort()
  assert.deepEqual(await rootsOf(cyd), { roots, recent: [] })
  const here = { roots: [shared.figure.id], recent: [] }
  assert.deepEqual(await rootsOf(cyd, shared.workspace.id), here)
  assert.deepEqual(await rootsOf(cyd, newId()), { roots: [], recent: [] })
  const key = actAs(userWithKey('cyd', own.workspace.id))
  assert.deepEqual(await rootsOf(key), { roots: [own.workspace.id], recent: [] })
  assert.deepEqual(await rootsOf(key, shared.workspace.id), { roots: [], recent: [] })
  await assertError(catalog.client.listReadableRoots({}, nobody), unauthenticated)
  const field = { code: 'InvalidArgument', field: 'workspace_id' } as const
  await assertError(catalog.client.listReadableRoots({ workspaceId: 'w' }, cyd), field)
})

test('nodes that were moved or restored lately are listed for those who may view them', async () => {
  const [from, to] = [await createTree(catalog), await createTree(catalog)]
  await grant(catalog, 'bob', to.workspace, 'viewer')
  assert.deepEqual((await rootsOf(bob)).recent, [])
  await catalog.client.updateNode({ id: from.figure.id, parentId: to.analysis.id }, ada)
  assert.deepEqual((await rootsOf(bob)).recent, [from.figure.id])
  assert.deepEqual((await rootsOf(bob, from.workspace.id)).recent, [])
  await catalog.client.deleteNode({ id: from.figure.id }, ada)
  assert.deepEqual((await rootsOf(bob)).recent, [])
  await catalog.client.restoreNode({ id: from.figure.id, type: from.figure.type }, ada)
  assert.deepEqual((await rootsOf(bob)).recent, [from.figure.id])
  await catalog.client.deleteNode({ id: to.analysis.id }, ada)
  await catalog.client.restoreNode({ id: to.analysis.id, type: ANALYSIS }, ada)
  assert.deepEqual((await rootsOf(bob)).recent, [from.figure.id, to.analysis.id].sort())
  const elsewhere = actAs(userWithKey('bob', from.workspace.id))
  assert.deepEqual((await rootsOf(elsewhere)).recent, [])
  await catalog.client.setLinkShare({ id: to.analysis.id, enabled: true }, ada)
  assert.deepEqual((await rootsOf(cyd)).recent, [], 'a link does not list them')
  await catalog.query(`update recent_placement set placed_on = now() - interval '61 minutes'`)
  assert.deepEqual((await rootsOf(bob)).recent, [])
})

test('a shared node below one that was restored is listed as recent, too', async () => {
  const { analysis, figure } = await createTree(catalog)
  await catalog.client.setUserShare({ id: figure.id, username: 'dan', enabled: true }, ada)
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  await catalog.client.restoreNode({ id: analysis.id, type: ANALYSIS }, ada)
  const dan = actAs(user('dan'))
  assert.deepEqual(await rootsOf(dan), { roots: [figure.id], recent: [figure.id] })
})

test('places are read with the path and the highest deleted node', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const assetRevision = await createAssetRevision(catalog, asset.id)
  const pending = await catalog.client.reserve({ type: revision.type, parentId: figure.id }, ada)
  const read = async (...ids: string[]) => {
    const { nodes } = await catalog.client.readPlaces({ ids }, system)
    return new Map(nodes.map((one) => [one.node?.id, one]))
  }
  const before = await read(revision.id, assetRevision.id, workspace.id, pending.id, newId())
  assert.equal(before.size, 3)
  const path = [workspace.id, analysis.id, figure.id, revision.id]
  assert.deepEqual(before.get(revision.id)?.lineage, path)
  assert.equal(before.get(revision.id)?.deletedRootId, '')
  assert.deepEqual(before.get(workspace.id)?.lineage, [workspace.id])
  const ofAsset = [workspace.id, asset.id, assetRevision.id]
  assert.deepEqual(before.get(assetRevision.id)?.lineage, ofAsset)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  const after = await read(revision.id, figure.id, analysis.id, workspace.id)
  for (const id of [revision.id, figure.id, analysis.id])
    assert.equal(after.get(id)?.deletedRootId, analysis.id)
  assert.equal(after.get(workspace.id)?.deletedRootId, '')
  await catalog.client.restoreNode({ id: analysis.id, type: ANALYSIS }, ada)
  assert.equal((await read(revision.id)).get(revision.id)?.deletedRootId, figure.id)
  await assertError(catalog.client.readPlaces({ ids: [] }, ada), denied)
  const field = { code: 'InvalidArgument', field: 'ids' } as const
  await assertError(catalog.client.readPlaces({ ids: ['x'] }, system), field)
})

test('all nodes that search finds are listed in pages, deleted ones included', async () => {
  const { workspace, figure } = await createTree(catalog)
  const organization = await createNode(catalog, ORGANIZATION)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  const listed: string[] = []
  for (let pageToken = '', more = true; more; more = pageToken !== '') {
    const page = await catalog.client.listAllNodes({ pageToken, pageSize: 3 }, system)
    assert.ok(page.ids.length <= 3)
    listed.push(...page.ids)
    pageToken = page.nextPageToken
  }
  assert.deepEqual(listed, [...listed].sort())
  assert.equal(new Set(listed).size, listed.length)
  for (const { id } of [workspace, figure]) assert.ok(listed.includes(id))
  assert.ok(!listed.includes(organization.id))
  await assertError(catalog.client.listAllNodes({}, ada), denied)
  const field = { code: 'InvalidArgument', field: 'page_token' } as const
  await assertError(catalog.client.listAllNodes({ pageToken: 'x' }, system), field)
})

test('the roots are read by their keys, also if the planner could compare them with all nodes', async () => {
  await using small = await startTestCatalog()
  await small.query(`
    with made as (
      insert into node (id, type, parent_id, lineage, workspace_id, workspace_type, state, created_by)
      select id, 'workspace', null, array[id], id, 'secondary', 'active', 'eve'
        from (select gen_random_uuid() as id from generate_series(1, 5000)) w
      returning id
    )
    insert into access_grant (subject, node_id, kind, role, granted_by)
    select 'cyd', id, 'member', 'viewer', 'eve' from made limit 240`)
  await small.query('analyze')
  const plans = await plansOf(
    small.ctx.transact,
    (tx) => listReadableRoots(tx, subjectFor('cyd'), null, 1000),
    /as is_recent/,
    { username: `'cyd'`, recentMax: '1000' },
  )
  for (const plan of plans) {
    assert.match(plan, /using node_pkey on node/, plan)
    assert.doesNotMatch(plan, /Seq Scan on node/, plan)
  }
})
