import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallOptions } from '@connectrpc/connect'
import { actAs } from '@figbase/kit'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, NodeType, Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  get,
  grant,
  logOf,
  make,
  makeRevision,
  makeTree,
  nobody,
  ORGANIZATION,
  refused,
  startBench,
  type Tree,
  WORKSPACE,
} from './bench.js'

let bench: Bench
/** Ada's; her key is for the first one. */
let here: Tree
let elsewhere: Tree
let key: CallOptions
before(async () => {
  bench = await startBench()
  here = await makeTree(bench)
  elsewhere = await makeTree(bench)
  key = keyOf('ada', here.workspace)
})
after(() => bench[Symbol.asyncDispose]())

const keyOf = (username: string, { id }: { id: string }) => actAs(userWithKey(username, id))
const everything = [1, 2, 3, 4, 5, 6] as Permission[]

async function permissionsOf({ id, type }: Node, as: CallOptions) {
  const granted: Permission[] = []
  for (const permission of everything) {
    const call = bench.client.checkAccess({ id, permission, type }, as)
    const isGranted = await call.then(
      () => true,
      () => false,
    )
    if (isGranted) granted.push(permission)
    else await refused(bench.client.checkAccess({ id, permission, type }, as), denied)
  }
  return granted
}

async function idsOf(type: NodeType, as: CallOptions, pageSize = 1) {
  const ids: string[] = []
  let pageToken = ''
  do {
    const page = await bench.client.listNodes({ type, pageSize, pageToken }, as)
    ids.push(...page.nodes.map(({ id }) => id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

test('a key without a bound may what its owner may', async () => {
  const free = actAs(userWithKey('ada'))
  for (const node of [...Object.values(here), ...Object.values(elsewhere)]) {
    assert.deepEqual(await permissionsOf(node, free), everything)
  }
  assert.ok((await idsOf(WORKSPACE, free)).includes(elsewhere.workspace.id))
  await make(bench, WORKSPACE, '', free)
})

test('a key for a workspace may what its owner may there, down to a revision, and nothing elsewhere', async () => {
  const revisions = [
    await makeRevision(bench, here.figure.id),
    await makeRevision(bench, elsewhere.figure.id),
  ] as const
  for (const node of [...Object.values(here), revisions[0]]) {
    assert.deepEqual(await permissionsOf(node, key), everything)
    assert.equal((await get(bench, node, key)).id, node.id)
  }
  for (const node of [...Object.values(elsewhere), revisions[1]]) {
    assert.deepEqual(await permissionsOf(node, key), [])
    await refused(get(bench, node, key), denied)
  }
})

test('a role is not widened by a key, and ends with the membership at once', async () => {
  const { workspace, figure } = await makeTree(bench)
  const asBob = keyOf('bob', workspace)
  assert.deepEqual(await permissionsOf(figure, asBob), [])
  await grant(bench, 'bob', workspace, 'viewer')
  assert.deepEqual(await permissionsOf(figure, asBob), [Permission.VIEW])
  assert.deepEqual(await idsOf(WORKSPACE, asBob), [workspace.id])
  await bench.client.removeMember({ id: workspace.id, type: WORKSPACE, username: 'bob' }, ada)
  assert.deepEqual(await permissionsOf(figure, asBob), [])
  assert.deepEqual(await idsOf(WORKSPACE, asBob), [])
})

test('lists hold what is in the workspace alone: by membership, by organization, by share', async () => {
  const organization = await make(bench, ORGANIZATION, '', ada)
  const trees = [await makeTree(bench), await makeTree(bench)] as const
  for (const { workspace } of trees) {
    const parentId = organization.id
    await bench.client.updateNode({ id: workspace.id, type: WORKSPACE, parentId }, ada)
  }
  await grant(bench, 'dan', organization, 'workspace_viewer')
  await grant(bench, 'dan', here.figure, 'viewer', 'share')
  await grant(bench, 'dan', elsewhere.figure, 'viewer', 'share')
  const inOne = keyOf('dan', trees[0].workspace)
  assert.deepEqual(await idsOf(WORKSPACE, inOne), [trees[0].workspace.id])
  assert.deepEqual(await idsOf(FIGURE, inOne), [trees[0].figure.id])
  assert.deepEqual(await idsOf(ORGANIZATION, inOne), [])
  const inShared = keyOf('dan', here.workspace)
  assert.deepEqual(await idsOf(WORKSPACE, inShared), [])
  assert.deepEqual(await idsOf(FIGURE, inShared), [here.figure.id])
  assert.equal((await get(bench, here.figure, inShared)).id, here.figure.id)
  await refused(get(bench, elsewhere.figure, inShared), denied)
  await refused(get(bench, organization, inOne), denied)
  await refused(get(bench, organization, keyOf('ada', trees[0].workspace)), denied)
})

test('assets are found by name, and contributions counted, in the workspace alone', async () => {
  const trees = [await makeTree(bench), await makeTree(bench)] as const
  const name = 'Samples'
  for (const { workspace } of trees) {
    for (let n = 0; n < 2; n++) {
      await bench.client.createNode({ type: ASSET, parentId: workspace.id, name }, ada)
    }
  }
  const inOne = keyOf('ada', trees[0].workspace)
  const found: (string | undefined)[] = []
  let pageToken = ''
  do {
    const page = await bench.client.findAssetsByName({ name, pageSize: 1, pageToken }, inOne)
    found.push(...page.nodes.map(({ workspaceId }) => workspaceId))
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(found, [trees[0].workspace.id, trees[0].workspace.id])
  const analysisId = trees[1].analysis.id
  await refused(bench.client.findAssetsByName({ name, analysisId }, inOne), denied)
  const { days } = await bench.client.listContributions({}, inOne)
  assert.equal(
    days.reduce((sum, { count }) => sum + count, 0),
    5,
  )
})

test('a link opens nothing to a key for another workspace that it opens to everybody', async () => {
  const { figure } = await makeTree(bench)
  await bench.client.setLinkShare({ id: figure.id, type: FIGURE, enabled: true }, ada)
  await get(bench, figure, nobody)
  await refused(get(bench, figure, key), denied)
})

test('what is in no workspace is refused: to make workspaces and organizations, to take invitations', async () => {
  const request = { type: WORKSPACE, targetId: elsewhere.workspace.id, role: 4, email: 'x@a.org' }
  const { token, invitation } = await bench.client.createInvitation(request, ada)
  const type = WORKSPACE
  const before = await contents(bench)
  const { client } = bench
  for (const type of [WORKSPACE, ORGANIZATION]) {
    await refused(client.createNode({ type, name: 'x' }, key), denied)
  }
  const bobs = keyOf('bob', here.workspace)
  await refused(client.acceptInvitation({ type, token }, bobs), denied)
  await refused(client.getInvitationByToken({ type, token }, bobs), denied)
  await refused(client.getInvitation({ type, id: invitation?.id ?? '' }, key), denied)
  await refused(client.deleteInvitation({ type, id: invitation?.id ?? '' }, key), denied)
  await refused(client.createInvitation(request, key), denied)
  assert.deepEqual(await contents(bench), before)
  await client.acceptInvitation({ type, token }, bob)
})

test('nothing is moved out of the workspace, nor into it', async () => {
  const analysis = await make(bench, ANALYSIS, here.workspace.id)
  const other = await make(bench, ANALYSIS, elsewhere.workspace.id)
  const organization = await make(bench, ORGANIZATION)
  const before = await contents(bench)
  for (const { id, type, parentId } of [
    { ...analysis, parentId: elsewhere.workspace.id },
    { ...other, parentId: here.workspace.id },
    { ...here.workspace, parentId: organization.id },
  ]) {
    await refused(bench.client.updateNode({ id, type, parentId }, key), denied)
  }
  await refused(bench.client.deleteNode({ id: other.id, type: ANALYSIS }, key), denied)
  const reserving = { type: NodeType.FIGURE_REVISION, parentId: elsewhere.figure.id }
  await refused(bench.client.reserve(reserving, key), denied)
  await refused(make(bench, FIGURE, other.id, key), denied)
  assert.deepEqual(await contents(bench), before)
})

test('the log tells that a key wrote', async () => {
  const kinds = async (id: string) =>
    bench.query<{ actor: string; actor_kind: string }>(
      `select actor, actor_kind from activity where target_id = '${id}' order by seq`,
    )
  const { id } = await make(bench, FIGURE, here.analysis.id, key)
  await bench.client.updateNode({ id, type: FIGURE, name: 'another' }, ada)
  await bench.client.deleteNode({ id, type: FIGURE }, actAs(userWithKey('ada')))
  assert.equal((await logOf(bench, id)).length, 3)
  assert.deepEqual(await kinds(id), [
    { actor: 'ada', actor_kind: 'api_key' },
    { actor: 'ada', actor_kind: 'user' },
    { actor: 'ada', actor_kind: 'api_key' },
  ])
  const request = { type: NodeType.FIGURE_REVISION, parentId: here.figure.id }
  const revision = await bench.client.reserve(request, key)
  await bench.client.activate({ id: revision.id, leaves: [] }, key)
  assert.deepEqual(await kinds(revision.id), [{ actor: 'ada', actor_kind: 'api_key' }])
})

const tooWeak = { code: 'PermissionDenied', error: 'insufficient_key_access' } as const
const limited = (access: ApiKeyAccess) => actAs(userWithKey('ada', '', access))
const { VIEW, CREATE, UPDATE, SHARE, MANAGE } = Permission

test('a key with less than full access has what its owner may, as far as it goes', async () => {
  for (const [access, granted] of [
    // Who may share or manage reads more.
    [ApiKeyAccess.READ, [VIEW, SHARE, MANAGE]],
    [ApiKeyAccess.PUBLISH, [VIEW, CREATE, UPDATE, SHARE, MANAGE]],
    [ApiKeyAccess.FULL, everything],
  ] as const) {
    for (const { id, type } of [here.workspace, here.figure]) {
      for (const permission of everything) {
        const asked = bench.client.checkAccess({ id, permission, type }, limited(access))
        if (granted.some((one) => one === permission)) await asked
        else await refused(asked, tooWeak)
      }
    }
  }
})

test('a key to publish moves nothing out of its place, and leaves organizations as they are', async () => {
  const publish = limited(ApiKeyAccess.PUBLISH)
  const { client } = bench
  const organization = await make(bench, ORGANIZATION, '', ada)
  const { workspace, figure } = await makeTree(bench)
  const other = await make(bench, ANALYSIS, workspace.id, publish)
  const before = await contents(bench)
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
    await refused(change(), tooWeak)
  }
  assert.deepEqual(await contents(bench), before)
  await client.updateNode({ id: workspace.id, type: WORKSPACE, name: 'Named' }, publish)
})
