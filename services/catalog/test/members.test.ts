import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { type Node, NodeType, Role } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createTree,
  cyd,
  denied,
  eve,
  get,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { MEMBERS_MAX: '4' } })
})
after(() => catalog[Symbol.asyncDispose]())

const { OWNER, ADMIN, CREATOR, VIEWER } = Role
const { ORG_ADMIN, WORKSPACE_ADMIN, WORKSPACE_CREATOR, WORKSPACE_VIEWER } = Role
const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

const member = ({ id, type }: Pick<Node, 'id' | 'type'>, username: string, role: Role) => ({
  id,
  type,
  member: { username, role },
})
const add = (on: Node, username: string, role: Role, as = ada) =>
  catalog.client.addMember(member(on, username, role), as)
const change = (on: Node, username: string, role: Role, as = ada) =>
  catalog.client.changeMember(member(on, username, role), as)
const remove = ({ id, type }: Node, username: string, as = ada) =>
  catalog.client.removeMember({ id, type, username }, as)

async function members({ id, type }: Node, as = ada, pageSize = 1000) {
  const all: [string, Role][] = []
  let pageToken = ''
  do {
    const page = await catalog.client.listMembers({ id, type, pageSize, pageToken }, as)
    all.push(...page.members.map(({ username, role }): [string, Role] => [username, role]))
    pageToken = page.nextPageToken
  } while (pageToken)
  return all
}

test('a new container has its creator as member; members are added, changed, removed and listed in order', async () => {
  for (const [type, first, second] of [
    [WORKSPACE, OWNER, ADMIN],
    [ORGANIZATION, ORG_ADMIN, WORKSPACE_VIEWER],
  ] as const) {
    const on = await createNode(catalog, type)
    const third = type === WORKSPACE ? VIEWER : ORG_ADMIN
    assert.deepEqual(await members(on), [['ada', first]])
    const { member } = await add(on, 'cyd', second)
    assert.deepEqual([member?.username, member?.role], ['cyd', second])
    await add(on, 'bob', third)
    const all = [
      ['ada', first],
      ['cyd', second],
      ['bob', third],
    ]
    for (const pageSize of [1, 2, 1000]) assert.deepEqual(await members(on, ada, pageSize), all)
    assert.equal((await change(on, 'cyd', third)).member?.role, third)
    assert.deepEqual(await members(on), [
      ['ada', first],
      ['cyd', third],
      ['bob', third],
    ])
    await remove(on, 'cyd')
    assert.deepEqual(await members(on), [
      ['ada', first],
      ['bob', third],
    ])
  }
})

test('organization members are not direct members of its workspaces', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  await add(organization, 'bob', WORKSPACE_VIEWER)
  const workspace = await createNode(catalog, WORKSPACE, organization.id)
  assert.deepEqual(await members(workspace), [['ada', OWNER]])
  assert.deepEqual(await members(workspace, bob), [['ada', OWNER]])
})

test('membership changes apply from the next call on', async () => {
  const { workspace, figure } = await createTree(catalog)
  const create = () => createNode(catalog, ANALYSIS, workspace.id, bob)
  await assertError(get(catalog, figure, bob), denied)
  await add(workspace, 'bob', VIEWER)
  await get(catalog, figure, bob)
  await assertError(create(), denied)
  await change(workspace, 'bob', CREATOR)
  await create()
  await change(workspace, 'bob', VIEWER)
  await assertError(create(), denied)
  await remove(workspace, 'bob')
  await assertError(get(catalog, figure, bob), denied)
})

test('a workspace_creator can create workspaces but not change roles; an org_admin has access to them', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  await add(organization, 'bob', WORKSPACE_CREATOR)
  await add(organization, 'cyd', ORG_ADMIN)
  await assertError(change(organization, 'cyd', WORKSPACE_VIEWER, bob), denied)
  const workspace = await createNode(catalog, WORKSPACE, organization.id, bob)
  await createNode(catalog, ANALYSIS, workspace.id, cyd)
  const other = await createNode(catalog, WORKSPACE, '', bob)
  await assertError(get(catalog, other, cyd), denied)
  await remove(organization, 'bob', cyd)
  await get(catalog, workspace, bob)
  await assertError(createNode(catalog, WORKSPACE, organization.id, bob), denied)
  await catalog.client.deleteNode({ id: workspace.id }, cyd)
})

test('changing members takes MANAGE; checks 401, 404, 403 and the body in this order', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const organization = await createNode(catalog, ORGANIZATION)
  await add(workspace, 'bob', CREATOR)
  await add(organization, 'bob', WORKSPACE_ADMIN)
  const untouched = await contents(catalog)
  for (const on of [workspace, organization]) {
    for (const as of [bob, eve]) {
      await assertError(add(on, 'cyd', VIEWER, as), denied)
      await assertError(add(on, 'nobody knows', Role.UNSPECIFIED, as), denied)
      await assertError(change(on, 'bob', ADMIN, as), denied)
      await assertError(remove(on, 'ada', as), denied)
    }
    await assertError(add(on, 'cyd', VIEWER, nobody), unauthenticated)
    await assertError(members(on, nobody), unauthenticated)
    await assertError(members(on, eve), denied)
    const unknown = { ...on, id: newId() }
    await assertError(members(unknown, nobody), unauthenticated)
    await assertError(members(unknown), notFound)
    await assertError(add(unknown, 'cyd', VIEWER), notFound)
    await assertError(remove({ ...on, type: NodeType.FIGURE }, 'bob'), notFound)
  }
  assert.equal((await members(workspace, bob)).length, 2)
  await assertError(members(organization, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
})

test('every member can leave, except the owner; only managers remove others', async () => {
  for (const [type, role] of [
    [WORKSPACE, VIEWER],
    [ORGANIZATION, WORKSPACE_VIEWER],
  ] as const) {
    const on = await createNode(catalog, type)
    await add(on, 'bob', role)
    await add(on, 'cyd', role)
    await assertError(remove(on, 'cyd', bob), denied)
    await remove(on, 'bob', bob)
    assert.deepEqual(
      (await members(on)).map(([username]) => username),
      ['ada', 'cyd'],
    )
    await assertError(remove(on, 'bob', bob), denied)
    await assertError(remove(on, 'ada'), invalid('username'))
  }
})

test('an admin can manage members until they change their own role', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await add(workspace, 'bob', ADMIN)
  await add(workspace, 'cyd', VIEWER, bob)
  await change(workspace, 'cyd', CREATOR, bob)
  await change(workspace, 'bob', VIEWER, bob)
  await assertError(change(workspace, 'cyd', VIEWER, bob), denied)
})

test('rejects changes of the owner and invalid roles or users by field', async () => {
  const { workspace, figure } = await createTree(catalog)
  const organization = await createNode(catalog, ORGANIZATION)
  await add(workspace, 'bob', ADMIN)
  const untouched = await contents(catalog)
  const listed = await members(workspace)
  await assertError(change(workspace, 'ada', ADMIN, bob), invalid('username'))
  await assertError(remove(workspace, 'ada', bob), invalid('username'))
  for (const role of [OWNER, Role.UNSPECIFIED, ORG_ADMIN, WORKSPACE_VIEWER, 99 as Role]) {
    await assertError(add(workspace, 'cyd', role), invalid('membership_type'))
    await assertError(change(workspace, 'bob', role), invalid('membership_type'))
  }
  for (const role of [OWNER, ADMIN, VIEWER]) {
    await assertError(add(organization, 'cyd', role), invalid('membership_type'))
  }
  for (const username of ['', 'zoe', 'ADA', 'a\0']) {
    await assertError(add(workspace, username, VIEWER), invalid('username'))
    await assertError(change(workspace, username, VIEWER), invalid('username'))
    await assertError(remove(workspace, username), invalid('username'))
  }
  await assertError(remove(workspace, 'cyd'), invalid('username'))
  const again = { code: 'AlreadyExists', error: 'already_member' } as const
  await assertError(add(workspace, 'bob', VIEWER), again)
  await assertError(add(figure, 'bob', VIEWER), invalid('type'))
  assert.deepEqual(await contents(catalog), untouched)
  assert.deepEqual(await members(workspace), listed)
})

test('an organization keeps one org_admin, even with concurrent removals', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  await assertError(change(organization, 'ada', WORKSPACE_ADMIN), invalid('username'))
  await assertError(remove(organization, 'ada'), invalid('username'))
  await change(organization, 'ada', ORG_ADMIN)
  await add(organization, 'bob', ORG_ADMIN)
  const outcomes = await Promise.allSettled([
    change(organization, 'ada', WORKSPACE_VIEWER, ada),
    change(organization, 'bob', WORKSPACE_VIEWER, bob),
  ])
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
})

test('enforces MEMBERS_MAX, even with concurrent additions', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const outcomes = await Promise.allSettled(
    ['bob', 'cyd', 'dan', 'eve', 'fay'].map((name) => add(workspace, name, VIEWER)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 2)
  for (const { reason } of lost) await assertError(Promise.reject(reason), invalid('username'))
  assert.equal((await members(workspace)).length, 4)
})

test('concurrent additions of one user create one member', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  const twice = await Promise.allSettled([1, 2].map(() => add(workspace, 'bob', VIEWER)))
  assert.equal(twice.filter((one) => one.status === 'fulfilled').length, 1)
  assert.equal((await members(workspace)).length, 2)
})
