import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { type Node, NodeType, Role } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  cyd,
  denied,
  eve,
  get,
  make,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { MEMBERS_MAX: '4' } })
})
after(() => bench[Symbol.asyncDispose]())

const { OWNER, ADMIN, CREATOR, VIEWER } = Role
const { ORG_ADMIN, WORKSPACE_ADMIN, WORKSPACE_CREATOR, WORKSPACE_VIEWER } = Role
const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

const member = ({ id, type }: Pick<Node, 'id' | 'type'>, username: string, role: Role) => ({
  id,
  type,
  member: { username, role },
})
const add = (on: Node, username: string, role: Role, as = ada) =>
  bench.client.addMember(member(on, username, role), as)
const change = (on: Node, username: string, role: Role, as = ada) =>
  bench.client.changeMember(member(on, username, role), as)
const remove = ({ id, type }: Node, username: string, as = ada) =>
  bench.client.removeMember({ id, type, username }, as)

async function members({ id, type }: Node, as = ada, pageSize = 1000) {
  const all: [string, Role][] = []
  let pageToken = ''
  do {
    const page = await bench.client.listMembers({ id, type, pageSize, pageToken }, as)
    all.push(...page.members.map(({ username, role }): [string, Role] => [username, role]))
    pageToken = page.nextPageToken
  } while (pageToken)
  return all
}

test('a fresh container lists its maker; members are added, changed, removed, listed in order', async () => {
  for (const [type, first, second] of [
    [WORKSPACE, OWNER, ADMIN],
    [ORGANIZATION, ORG_ADMIN, WORKSPACE_VIEWER],
  ] as const) {
    const on = await make(bench, type)
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

test('who is in the organization is no direct member of its workspaces', async () => {
  const organization = await make(bench, ORGANIZATION)
  await add(organization, 'bob', WORKSPACE_VIEWER)
  const workspace = await make(bench, WORKSPACE, organization.id)
  assert.deepEqual(await members(workspace), [['ada', OWNER]])
  assert.deepEqual(await members(workspace, bob), [['ada', OWNER]])
})

test('every change bites with the next call', async () => {
  const { workspace, figure } = await makeTree(bench)
  const create = () => make(bench, ANALYSIS, workspace.id, bob)
  await refused(get(bench, figure, bob), denied)
  await add(workspace, 'bob', VIEWER)
  await get(bench, figure, bob)
  await refused(create(), denied)
  await change(workspace, 'bob', CREATOR)
  await create()
  await change(workspace, 'bob', VIEWER)
  await refused(create(), denied)
  await remove(workspace, 'bob')
  await refused(get(bench, figure, bob), denied)
})

test('a workspace_creator makes workspaces and changes no levels; an org_admin reaches them', async () => {
  const organization = await make(bench, ORGANIZATION)
  await add(organization, 'bob', WORKSPACE_CREATOR)
  await add(organization, 'cyd', ORG_ADMIN)
  await refused(change(organization, 'cyd', WORKSPACE_VIEWER, bob), denied)
  const workspace = await make(bench, WORKSPACE, organization.id, bob)
  await make(bench, ANALYSIS, workspace.id, cyd)
  const other = await make(bench, WORKSPACE, '', bob)
  await refused(get(bench, other, cyd), denied)
  await remove(organization, 'bob', cyd)
  await get(bench, workspace, bob)
  await refused(make(bench, WORKSPACE, organization.id, bob), denied)
  await bench.client.deleteNode({ id: workspace.id }, cyd)
})

test('only who manages adds, changes and removes, 401 before 404 before 403 before the body', async () => {
  const workspace = await make(bench, WORKSPACE)
  const organization = await make(bench, ORGANIZATION)
  await add(workspace, 'bob', CREATOR)
  await add(organization, 'bob', WORKSPACE_ADMIN)
  const untouched = await contents(bench)
  for (const on of [workspace, organization]) {
    for (const as of [bob, eve]) {
      await refused(add(on, 'cyd', VIEWER, as), denied)
      await refused(add(on, 'nobody knows', Role.UNSPECIFIED, as), denied)
      await refused(change(on, 'bob', ADMIN, as), denied)
      await refused(remove(on, 'ada', as), denied)
    }
    await refused(add(on, 'cyd', VIEWER, nobody), unauthenticated)
    await refused(members(on, nobody), unauthenticated)
    await refused(members(on, eve), denied)
    const unknown = { ...on, id: newId() }
    await refused(members(unknown, nobody), unauthenticated)
    await refused(members(unknown), notFound)
    await refused(add(unknown, 'cyd', VIEWER), notFound)
    await refused(remove({ ...on, type: NodeType.FIGURE }, 'bob'), notFound)
  }
  assert.equal((await members(workspace, bob)).length, 2)
  await refused(members(organization, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
})

test('an admin manages, and is refused once he lowered himself', async () => {
  const workspace = await make(bench, WORKSPACE)
  await add(workspace, 'bob', ADMIN)
  await add(workspace, 'cyd', VIEWER, bob)
  await change(workspace, 'cyd', CREATOR, bob)
  await change(workspace, 'bob', VIEWER, bob)
  await refused(change(workspace, 'cyd', VIEWER, bob), denied)
})

test('the owner stays, nobody becomes one, and what cannot be is named and changes nothing', async () => {
  const { workspace, figure } = await makeTree(bench)
  const organization = await make(bench, ORGANIZATION)
  await add(workspace, 'bob', ADMIN)
  const untouched = await contents(bench)
  const listed = await members(workspace)
  await refused(change(workspace, 'ada', ADMIN, bob), invalid('username'))
  await refused(remove(workspace, 'ada', bob), invalid('username'))
  for (const role of [OWNER, Role.UNSPECIFIED, ORG_ADMIN, WORKSPACE_VIEWER, 99 as Role]) {
    await refused(add(workspace, 'cyd', role), invalid('membership_type'))
    await refused(change(workspace, 'bob', role), invalid('membership_type'))
  }
  for (const role of [OWNER, ADMIN, VIEWER]) {
    await refused(add(organization, 'cyd', role), invalid('membership_type'))
  }
  for (const username of ['', 'zoe', 'ADA', 'a\0']) {
    await refused(add(workspace, username, VIEWER), invalid('username'))
    await refused(change(workspace, username, VIEWER), invalid('username'))
    await refused(remove(workspace, username), invalid('username'))
  }
  await refused(remove(workspace, 'cyd'), invalid('username'))
  const again = { code: 'AlreadyExists', error: 'already_member' } as const
  await refused(add(workspace, 'bob', VIEWER), again)
  await refused(add(figure, 'bob', VIEWER), invalid('type'))
  assert.deepEqual(await contents(bench), untouched)
  assert.deepEqual(await members(workspace), listed)
})

test('an organization keeps one org_admin, also of two that go at once', async () => {
  const organization = await make(bench, ORGANIZATION)
  await refused(change(organization, 'ada', WORKSPACE_ADMIN), invalid('username'))
  await refused(remove(organization, 'ada'), invalid('username'))
  await change(organization, 'ada', ORG_ADMIN)
  await add(organization, 'bob', ORG_ADMIN)
  const outcomes = await Promise.allSettled([
    change(organization, 'ada', WORKSPACE_VIEWER, ada),
    change(organization, 'bob', WORKSPACE_VIEWER, bob),
  ])
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
})

test('a container has as many members as the setting says, also of those who come at once', async () => {
  const workspace = await make(bench, WORKSPACE)
  const outcomes = await Promise.allSettled(
    ['bob', 'cyd', 'dan', 'eve', 'fay'].map((name) => add(workspace, name, VIEWER)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 2)
  for (const { reason } of lost) await refused(Promise.reject(reason), invalid('username'))
  assert.equal((await members(workspace)).length, 4)
})

test('a member who is added twice at once is one', async () => {
  const workspace = await make(bench, WORKSPACE)
  const twice = await Promise.allSettled([1, 2].map(() => add(workspace, 'bob', VIEWER)))
  assert.equal(twice.filter((one) => one.status === 'fulfilled').length, 1)
  assert.equal((await members(workspace)).length, 2)
})
