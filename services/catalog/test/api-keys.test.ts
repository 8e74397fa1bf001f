import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallOptions } from '@connectrpc/connect'
import { actAs } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, NodeType, Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import {
  ANALYSIS,
  ASSET,
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
  grant,
  logOf,
  nobody,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  type Tree,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
/** Workspaces of ada; her key is for the first one. */
let here: Tree
let elsewhere: Tree
let key: CallOptions
before(async () => {
  catalog = await startTestCatalog()
  here = await createTree(catalog)
  elsewhere = await createTree(catalog)
  key = keyOf('ada', here.workspace)
})
after(() => catalog[Symbol.asyncDispose]())

const keyOf = (username: string, { id }: { id: string }) => actAs(userWithKey(username, id))
const everything = [1, 2, 3, 4, 5, 6] as Permission[]

async function permissionsOf({ id, type }: Node, as: CallOptions) {
  const granted: Permission[] = []
  for (const permission of everything) {
    const call = catalog.client.checkAccess({ id, permission, type }, as)
    const isGranted = await call.then(
      () => true,
      () => false,
    )
    if (isGranted) granted.push(permission)
    else await assertError(catalog.client.checkAccess({ id, permission, type }, as), denied)
  }
  return granted
}

async function idsOf(type: NodeType, as: CallOptions, pageSize = 1) {
  const ids: string[] = []
  let pageToken = ''
  do {
    const page = await catalog.client.listNodes({ type, pageSize, pageToken }, as)
    ids.push(...page.nodes.map(({ id }) => id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

test('a key for all workspaces has the permissions of its owner', async () => {
  const free = actAs(userWithKey('ada'))
  for (const node of [...Object.values(here), ...Object.values(elsewhere)]) {
    assert.deepEqual(await permissionsOf(node, free), everything)
  }
  assert.ok((await idsOf(WORKSPACE, free)).includes(elsewhere.workspace.id))
  await createNode(catalog, WORKSPACE, '', free)
})

test('a key for one workspace has the permissions of its owner there, and none elsewhere', async () => {
  const revisions = [
    await createRevision(catalog, here.figure.id),
    await createRevision(catalog, elsewhere.figure.id),
  ] as const
  for (const node of [...Object.values(here), revisions[0]]) {
    assert.deepEqual(await permissionsOf(node, key), everything)
    assert.equal((await get(catalog, node, key)).id, node.id)
  }
  for (const node of [...Object.values(elsewhere), revisions[1]]) {
    assert.deepEqual(await permissionsOf(node, key), [])
    await assertError(get(catalog, node, key), denied)
  }
})

test('a key grants no more than the role of its owner, and loses access with the membership', async () => {
  const { workspace, figure } = await createTree(catalog)
  const asBob = keyOf('bob', workspace)
  assert.deepEqual(await permissionsOf(figure, asBob), [])
  await grant(catalog, 'bob', workspace, 'viewer')
  assert.deepEqual(await permissionsOf(figure, asBob), [Permission.VIEW])
  assert.deepEqual(await idsOf(WORKSPACE, asBob), [workspace.id])
  await catalog.client.removeMember({ id: workspace.id, type: WORKSPACE, username: 'bob' }, ada)
  assert.deepEqual(await permissionsOf(figure, asBob), [])
  assert.deepEqual(await idsOf(WORKSPACE, asBob), [])
})

test('lists contain only nodes of the workspace: by membership, by organization, by share', async () => {
  const organization = await createNode(catalog, ORGANIZATION, '', ada)
  const trees = [await createTree(catalog), await createTree(catalog)] as const
  for (const { workspace } of trees) {
    const parentId = organization.id
    await catalog.client.updateNode({ id: workspace.id, type: WORKSPACE, parentId }, ada)
  }
  await grant(catalog, 'dan', organization, 'workspace_viewer')
  await grant(catalog, 'dan', here.figure, 'viewer', 'share')
  await grant(catalog, 'dan', elsewhere.figure, 'viewer', 'share')
  const inOne = keyOf('dan', trees[0].workspace)
  assert.deepEqual(await idsOf(WORKSPACE, inOne), [trees[0].workspace.id])
  assert.deepEqual(await idsOf(FIGURE, inOne), [trees[0].figure.id])
  assert.deepEqual(await idsOf(ORGANIZATION, inOne), [])
  const inShared = keyOf('dan', here.workspace)
  assert.deepEqual(await idsOf(WORKSPACE, inShared), [])
  assert.deepEqual(await idsOf(FIGURE, inShared), [here.figure.id])
  assert.equal((await get(catalog, here.figure, inShared)).id, here.figure.id)
  await assertError(get(catalog, elsewhere.figure, inShared), denied)
  await assertError(get(catalog, organization, inOne), denied)
  await assertError(get(catalog, organization, keyOf('ada', trees[0].workspace)), denied)
})

test('assets are found by name, and contributions counted, in the workspace of the key only', async () => {
  const trees = [await createTree(catalog), await createTree(catalog)] as const
  const name = 'Samples'
  for (const { workspace } of trees) {
    for (let n = 0; n < 2; n++) {
      await catalog.client.createNode({ type: ASSET, parentId: workspace.id, name }, ada)
    }
  }
  const inOne = keyOf('ada', trees[0].workspace)
  const found: (string | undefined)[] = []
  let pageToken = ''
  do {
    const page = await catalog.client.findAssetsByName({ name, pageSize: 1, pageToken }, inOne)
    found.push(...page.nodes.map(({ workspaceId }) => workspaceId))
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(found, [trees[0].workspace.id, trees[0].workspace.id])
  const analysisId = trees[1].analysis.id
  await assertError(catalog.client.findAssetsByName({ name, analysisId }, inOne), denied)
  const { days } = await catalog.client.listContributions({}, inOne)
  assert.equal(
    days.reduce((sum, { count }) => sum + count, 0),
    5,
  )
})

test('a link grants no access to a key for another workspace', async () => {
  const { figure } = await createTree(catalog)
  await catalog.client.setLinkShare({ id: figure.id, type: FIGURE, enabled: true }, ada)
  await get(catalog, figure, nobody)
  await assertError(get(catalog, figure, key), denied)
})

test('a key for one workspace cannot create workspaces or organizations, or accept invitations', async () => {
  const request = { type: WORKSPACE, targetId: elsewhere.workspace.id, role: 4, email: 'x@a.org' }
  const { token, invitation } = await catalog.client.createInvitation(request, ada)
  const type = WORKSPACE
  const before = await contents(catalog)
  const { client } = catalog
  for (const type of [WORKSPACE, ORGANIZATION]) {
    await assertError(client.createNode({ type, name: 'x' }, key), denied)
  }
  const bobs = keyOf('bob', here.workspace)
  await assertError(client.acceptInvitation({ type, token }, bobs), denied)
  await assertError(client.getInvitationByToken({ type, token }, bobs), denied)
  await assertError(client.getInvitation({ type, id: invitation?.id ?? '' }, key), denied)
  await assertError(client.deleteInvitation({ type, id: invitation?.id ?? '' }, key), denied)
  await assertError(client.createInvitation(request, key), denied)
  assert.deepEqual(await contents(catalog), before)
  await client.acceptInvitation({ type, token }, bob)
})

test('a key for one workspace moves nothing out of it or into it', async () => {
  const analysis = await createNode(catalog, ANALYSIS, here.workspace.id)
  const other = await createNode(catalog, ANALYSIS, elsewhere.workspace.id)
  const organization = await createNode(catalog, ORGANIZATION)
  const before = await contents(catalog)
  for (const { id, type, parentId } of [
    { ...analysis, parentId: elsewhere.workspace.id },
    { ...other, parentId: here.workspace.id },
    { ...here.workspace, parentId: organization.id },
  ]) {
    await assertError(catalog.client.updateNode({ id, type, parentId }, key), denied)
  }
  await assertError(catalog.client.deleteNode({ id: other.id, type: ANALYSIS }, key), denied)
  const reserving = { type: NodeType.FIGURE_REVISION, parentId: elsewhere.figure.id }
  await assertError(catalog.client.reserve(reserving, key), denied)
  await assertError(createNode(catalog, FIGURE, other.id, key), denied)
  assert.deepEqual(await contents(catalog), before)
})

test('the activity log records that an API key was used', async () => {
  const kinds = async (id: string) =>
    catalog.query<{ actor: string; actor_kind: string }>(
      `select actor, actor_kind from activity where target_id = '${id}' order by seq`,
    )
  const { id } = await createNode(catalog, FIGURE, here.analysis.id, key)
  await catalog.client.updateNode({ id, type: FIGURE, name: 'another' }, ada)
  await catalog.client.deleteNode({ id, type: FIGURE }, actAs(userWithKey('ada')))
  assert.equal((await logOf(catalog, id)).length, 3)
  assert.deepEqual(await kinds(id), [
    { actor: 'ada', actor_kind: 'api_key' },
    { actor: 'ada', actor_kind: 'user' },
    { actor: 'ada', actor_kind: 'api_key' },
  ])
  const request = { type: NodeType.FIGURE_REVISION, parentId: here.figure.id }
  const revision = await catalog.client.reserve(request, key)
  await catalog.client.activate({ id: revision.id, leaves: [] }, key)
  assert.deepEqual(await kinds(revision.id), [{ actor: 'ada', actor_kind: 'api_key' }])
})

const insufficientAccess = { code: 'PermissionDenied', error: 'insufficient_key_access' } as const
const limited = (access: ApiKeyAccess) => actAs(userWithKey('ada', '', access))
const { VIEW, CREATE, UPDATE, SHARE, MANAGE } = Permission

test('a key with limited access has the permissions of its owner within its access', async () => {
  for (const [access, granted] of [
    // SHARE and MANAGE also allow reading.
    [ApiKeyAccess.READ, [VIEW, SHARE, MANAGE]],
    [ApiKeyAccess.PUBLISH, [VIEW, CREATE, UPDATE, SHARE, MANAGE]],
    [ApiKeyAccess.FULL, everything],
  ] as const) {
    for (const { id, type } of [here.workspace, here.figure]) {
      for (const permission of everything) {
        const asked = catalog.client.checkAccess({ id, permission, type }, limited(access))
        if (granted.some((one) => one === permission)) await asked
        else await assertError(asked, insufficientAccess)
      }
    }
  }
})

test('a key with publish access cannot move nodes or change organizations', async () => {
  const publish = limited(ApiKeyAccess.PUBLISH)
  const { client } = catalog
  const organization = await createNode(catalog, ORGANIZATION, '', ada)
  const { workspace, figure } = await createTree(catalog)
  const other = await createNode(catalog, ANALYSIS, workspace.id, publish)
  const before = await contents(catalog)
  for (const change of [
    () =>
      client.updateNode(
        { id: figure.id, type: FIGURE, name: 'Moved', parentId: other.id },
        publish,
      ),
    () =>
      client.updateNode(
        { id: workspace.id, type: WORKSPACE, name: 'Moved', parentId: organization.id },
        publish,
      ),
    () => client.updateNode({ id: organization.id, type: ORGANIZATION, name: 'Other' }, publish),
    () => client.createNode({ type: ORGANIZATION, name: 'Another' }, publish),
    () => client.deleteNode({ id: figure.id, type: FIGURE }, publish),
  ]) {
    await assertError(change(), insufficientAccess)
  }
  assert.deepEqual(await contents(catalog), before)
  await client.updateNode({ id: workspace.id, type: WORKSPACE, name: 'Named' }, publish)
})
