import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, user } from '@figbase/kit'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, Role } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  cyd,
  eve,
  get,
  grant,
  make,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  system,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const dan = actAs(user('dan'))
const fay = actAs(user('fay'))
const { ADMIN, VIEWER, ORG_ADMIN, WORKSPACE_VIEWER } = Role
const add = ({ id, type }: Node, username: string, role: Role, as = dan) =>
  bench.client.addMember({ id, type, member: { username, role } }, as)
const leave = (username: string) => bench.people.leave({ username }, system)
const keepsOf = async (username: string) =>
  (await bench.people.checkLeaving({ username }, system)).keptBy.map(({ id }) => id)
const isGone = (node: Node, as = ada) => refused(get(bench, node, as), notFound)
const grantsOf = (username: string) =>
  bench.query(`select node_id from access_grant where subject = '${username}'`)

test('one lists what one has and did oneself, page by page', async () => {
  const workspace = await make(bench, WORKSPACE, '', cyd)
  const other = await make(bench, WORKSPACE, '', cyd)
  const { figure } = await makeTree(bench)
  await grant(bench, 'cyd', figure, 'viewer', 'share')
  const invitation = { targetId: other.id, type: WORKSPACE, email: 'x@example.org', role: VIEWER }
  for (let n = 0; n < 2; n++) await bench.client.createInvitation(invitation, cyd)
  await bench.client.deleteNode({ id: workspace.id, type: WORKSPACE }, cyd)
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
    const page = await bench.people.listOwnGrants({ pageSize, pageToken }, cyd)
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
    const page = await bench.people.listOwnActivity({ pageSize, pageToken }, cyd)
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
    const page = await bench.people.listOwnInvitations({ pageSize, pageToken }, cyd)
    return { items: page.invitations, next: page.nextPageToken }
  })
  assert.deepEqual(
    invitations.map(({ targetId }) => targetId),
    [other.id, other.id],
  )
  const bound = actAs(userWithKey('cyd', other.id))
  await refused(bench.people.listOwnGrants({}, bound), { code: 'PermissionDenied' })
  await refused(bench.people.listOwnActivity({}, nobody), { code: 'Unauthenticated' })
})

test('what is of one person alone goes with him, once and for all', async () => {
  const { workspaceId } = await bench.client.ensurePrimaryWorkspace({ username: 'fay' }, system)
  const primary = await get(bench, { id: workspaceId, type: WORKSPACE }, fay)
  // Others in it do not keep it: it was never theirs.
  await add(primary, 'bob', VIEWER, fay)
  const own = await make(bench, WORKSPACE, '', fay)
  const organization = await make(bench, ORGANIZATION, '', fay)
  const within = await make(bench, WORKSPACE, organization.id, fay)
  const { figure, workspace } = await makeTree(bench)
  await bench.client.addMember(
    { id: workspace.id, type: WORKSPACE, member: { username: 'fay', role: ADMIN } },
    ada,
  )
  await bench.client.setUserShare(
    { id: figure.id, type: figure.type, username: 'fay', enabled: true },
    ada,
  )
  const invitation = { targetId: workspace.id, type: WORKSPACE, email: 'x@example.org' }
  await bench.client.createInvitation({ ...invitation, role: VIEWER }, fay)
  assert.deepEqual(await keepsOf('fay'), [])
  for (let n = 0; n < 2; n++) await leave('fay')
  for (const node of [primary, own, organization, within]) await isGone(node, fay)
  await isGone(primary, bob)
  assert.deepEqual(await grantsOf('fay'), [])
  const { invitations } = await bench.client.listInvitations(
    { targetId: workspace.id, type: WORKSPACE },
    ada,
  )
  assert.deepEqual(invitations, [])
  await get(bench, figure)
  // The log goes on telling who did it.
  const deletions = await bench.query<{ actor: string; actor_kind: string }>(
    `select actor, actor_kind from activity where action = 'delete' and target_id = '${own.id}'`,
  )
  assert.deepEqual(deletions, [{ actor: 'fay', actor_kind: 'system' }])
})

test('a workspace with other members keeps its owner, until they go or an organization has it', async () => {
  const kept = await make(bench, WORKSPACE, '', dan)
  await add(kept, 'bob', ADMIN)
  assert.deepEqual(await keepsOf('dan'), [kept.id])
  const { keptBy } = await bench.people.checkLeaving({ username: 'dan' }, system)
  assert.deepEqual([keptBy[0]?.type, keptBy[0]?.name], [WORKSPACE, 'a name'])
  const organization = await make(bench, ORGANIZATION, '', dan)
  await bench.client.updateNode({ id: kept.id, type: WORKSPACE, parentId: organization.id }, dan)
  // Nobody else governs it yet.
  assert.deepEqual(await keepsOf('dan'), [kept.id])
  await add(organization, 'cyd', WORKSPACE_VIEWER)
  assert.deepEqual((await keepsOf('dan')).sort(), [kept.id, organization.id].sort())
  await bench.client.changeMember(
    { id: organization.id, type: ORGANIZATION, member: { username: 'cyd', role: ORG_ADMIN } },
    dan,
  )
  assert.deepEqual(await keepsOf('dan'), [])
  const alone = await make(bench, WORKSPACE, organization.id, dan)
  await leave('dan')
  for (const node of [kept, alone, organization]) await get(bench, node, cyd)
  assert.deepEqual(await grantsOf('dan'), [])
})

test('what others came to meanwhile is left to them', async () => {
  const workspace = await make(bench, WORKSPACE, '', eve)
  await grant(bench, 'bob', workspace, 'admin')
  await leave('eve')
  await get(bench, workspace, bob)
  assert.deepEqual(await grantsOf('eve'), [])
})

test('only the system lets people leave', async () => {
  for (const caller of [ada, nobody]) {
    for (const call of [
      bench.people.leave({ username: 'ada' }, caller),
      bench.people.checkLeaving({ username: 'ada' }, caller),
    ]) {
      await refused(call, { code: 'PermissionDenied' })
    }
  }
})
