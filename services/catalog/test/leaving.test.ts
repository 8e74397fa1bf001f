import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, Role } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  createNode,
  createTree,
  cyd,
  eve,
  get,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  system,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const dan = actAs(user('dan'))
const fay = actAs(user('fay'))
const { ADMIN, VIEWER, ORG_ADMIN, WORKSPACE_VIEWER } = Role
const add = ({ id, type }: Node, username: string, role: Role, as = dan) =>
  catalog.client.addMember({ id, type, member: { username, role } }, as)
const leave = (username: string) => catalog.people.leave({ username }, system)
const keptByOf = async (username: string) =>
  (await catalog.people.checkLeaving({ username }, system)).keptBy.map(({ id }) => id)
const assertNotFound = (node: Node, as = ada) => assertError(get(catalog, node, as), notFound)
const grantsOf = (username: string) =>
  catalog.query(`select node_id from access_grant where subject = '${username}'`)

test('lists the own grants, entries and invitations of a user page by page', async () => {
  const workspace = await createNode(catalog, WORKSPACE, '', cyd)
  const other = await createNode(catalog, WORKSPACE, '', cyd)
  const { figure } = await createTree(catalog)
  await grant(catalog, 'cyd', figure, 'viewer', 'share')
  const invitation = { targetId: other.id, type: WORKSPACE, email: 'x@example.org', role: VIEWER }
  for (let n = 0; n < 2; n++) await catalog.client.createInvitation(invitation, cyd)
  await catalog.client.deleteNode({ id: workspace.id, type: WORKSPACE }, cyd)
  async function all<T>(read: (pageToken: string) => Promise<{ items: T[]; next: string }>) {
    const pages: T[] = []
    let next = ''
    do {
      const page = await read(next)
      assert.equal(page.items.length, 1)
      pages.push(...page.items)
      next = page.next
    } while (next)
    return pages
  }
  const pageSize = 1
  const grants = await all(async (pageToken) => {
    const page = await catalog.people.listOwnGrants({ pageSize, pageToken }, cyd)
    return { items: page.grants, next: page.nextPageToken }
  })
  assert.deepEqual(
    grants.map(({ nodeId, name, role, isShare }) => [nodeId, name, role, isShare]),
    [
      [workspace.id, '', Role.OWNER, false],
      [other.id, 'a name', Role.OWNER, false],
      [figure.id, 'a name', VIEWER, true],
    ],
  )
  const entries = await all(async (pageToken) => {
    const page = await catalog.people.listOwnActivity({ pageSize, pageToken }, cyd)
    return { items: page.entries, next: page.nextPageToken }
  })
  assert.deepEqual(
    entries.map(({ action, targetId }) => [action, targetId]),
    [
      ['create', workspace.id],
      ['create', other.id],
      ['delete', workspace.id],
    ],
  )
  const invitations = await all(async (pageToken) => {
    const page = await catalog.people.listOwnInvitations({ pageSize, pageToken }, cyd)
    return { items: page.invitations, next: page.nextPageToken }
  })
  assert.deepEqual(
    invitations.map(({ targetId }) => targetId),
    [other.id, other.id],
  )
  const bound = actAs(userWithKey('cyd', other.id))
  await assertError(catalog.people.listOwnGrants({}, bound), { code: 'PermissionDenied' })
  await assertError(catalog.people.listOwnActivity({}, nobody), { code: 'Unauthenticated' })
})

test('deletes containers with no other members for good when their owner leaves', async () => {
  const { workspaceId } = await catalog.client.ensurePrimaryWorkspace({ username: 'fay' }, system)
  const primary = await get(catalog, { id: workspaceId, type: WORKSPACE }, fay)
  // Other members do not prevent the deletion of a primary workspace.
  await add(primary, 'bob', VIEWER, fay)
  const own = await createNode(catalog, WORKSPACE, '', fay)
  const organization = await createNode(catalog, ORGANIZATION, '', fay)
  const within = await createNode(catalog, WORKSPACE, organization.id, fay)
  const { figure, workspace } = await createTree(catalog)
  await catalog.client.addMember(
    { id: workspace.id, type: WORKSPACE, member: { username: 'fay', role: ADMIN } },
    ada,
  )
  await catalog.client.setUserShare(
    { id: figure.id, type: figure.type, username: 'fay', enabled: true },
    ada,
  )
  const invitation = { targetId: workspace.id, type: WORKSPACE, email: 'x@example.org' }
  await catalog.client.createInvitation({ ...invitation, role: VIEWER }, fay)
  assert.deepEqual(await keptByOf('fay'), [])
  for (let n = 0; n < 2; n++) await leave('fay')
  for (const node of [primary, own, organization, within]) await assertNotFound(node, fay)
  await assertNotFound(primary, bob)
  assert.deepEqual(await grantsOf('fay'), [])
  const { invitations } = await catalog.client.listInvitations(
    { targetId: workspace.id, type: WORKSPACE },
    ada,
  )
  assert.deepEqual(invitations, [])
  await get(catalog, figure)
  // The entry names the user who left.
  const deletions = await catalog.query<{ actor: string; actor_kind: string }>(
    `select actor, actor_kind from activity where action = 'delete' and target_id = '${own.id}'`,
  )
  assert.deepEqual(deletions, [{ actor: 'fay', actor_kind: 'system' }])
})

test('the owner of a workspace with other members cannot leave, unless an organization administers it', async () => {
  const kept = await createNode(catalog, WORKSPACE, '', dan)
  await add(kept, 'bob', ADMIN)
  assert.deepEqual(await keptByOf('dan'), [kept.id])
  const { keptBy } = await catalog.people.checkLeaving({ username: 'dan' }, system)
  assert.deepEqual([keptBy[0]?.type, keptBy[0]?.name], [WORKSPACE, 'a name'])
  const organization = await createNode(catalog, ORGANIZATION, '', dan)
  await catalog.client.updateNode({ id: kept.id, type: WORKSPACE, parentId: organization.id }, dan)
  // No other org_admin exists yet.
  assert.deepEqual(await keptByOf('dan'), [kept.id])
  await add(organization, 'cyd', WORKSPACE_VIEWER)
  assert.deepEqual((await keptByOf('dan')).sort(), [kept.id, organization.id].sort())
  await catalog.client.changeMember(
    { id: organization.id, type: ORGANIZATION, member: { username: 'cyd', role: ORG_ADMIN } },
    dan,
  )
  assert.deepEqual(await keptByOf('dan'), [])
  const alone = await createNode(catalog, WORKSPACE, organization.id, dan)
  await leave('dan')
  for (const node of [kept, alone, organization]) await get(catalog, node, cyd)
  assert.deepEqual(await grantsOf('dan'), [])
})

test('does not delete a workspace that another user joined meanwhile', async () => {
  const workspace = await createNode(catalog, WORKSPACE, '', eve)
  await grant(catalog, 'bob', workspace, 'admin')
  await leave('eve')
  await get(catalog, workspace, bob)
  assert.deepEqual(await grantsOf('eve'), [])
})

test('only the system can call CheckLeaving and Leave', async () => {
  for (const caller of [ada, nobody]) {
    for (const call of [
      catalog.people.leave({ username: 'ada' }, caller),
      catalog.people.checkLeaving({ username: 'ada' }, caller),
    ]) {
      await assertError(call, { code: 'PermissionDenied' })
    }
  }
})
