import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, newId, user } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  get,
  grant,
  make,
  makeRevision,
  makeTree,
  microsOf,
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
  bench = await startBench({ env: { CHILDREN_MAX: '4' } })
})
after(() => bench[Symbol.asyncDispose]())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

async function workspacesOf({ id }: Node, pageSize = 1000) {
  const ids: string[] = []
  let pageToken = ''
  do {
    const request = { parentId: id, type: WORKSPACE, pageSize, pageToken }
    const page = await bench.client.listChildren(request, ada)
    ids.push(...page.nodes.map((node) => node.id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

const assign = ({ id }: Node, parentId: string, as = ada) =>
  bench.client.updateNode({ id, type: WORKSPACE, parentId }, as)

test('who makes an organization is its org_admin; it is answered as it reads', async () => {
  const node = await make(bench, ORGANIZATION)
  assert.deepEqual(await get(bench, node), node)
  const { parentId, workspaceId, children, sizeBytes, organization, childUpdatedOn } = node
  assert.deepEqual([parentId, workspaceId, children, sizeBytes], ['', '', 0, 0n])
  assert.equal(childUpdatedOn, undefined)
  assert.equal(organization?.logo.length, 0)
  assert.deepEqual(
    [organization?.allowLinkSharing, organization?.allowPerWorkspaceStorage],
    [true, false],
  )
  assert.deepEqual(
    await bench.query(`select subject, kind, role from access_grant where node_id = '${node.id}'`),
    [{ subject: 'ada', kind: 'member', role: 'org_admin' }],
  )
})

test('its own members are set with it, changed, left alone, and the logo taken away', async () => {
  const { client } = bench
  const request = { type: ORGANIZATION, name: 'o', description: '' }
  const first = { logo: png, allowLinkSharing: false, allowPerWorkspaceStorage: true }
  const { node: made } = await client.createNode({ ...request, organization: first }, ada)
  assert.ok(made?.organization)
  assert.deepEqual(Buffer.from(made.organization.logo), png)
  const { id } = made
  const { node: renamed } = await client.updateNode({ id, name: 'p' }, ada)
  assert.deepEqual(renamed?.organization, made.organization)
  const organization = { logo: Buffer.alloc(0), allowLinkSharing: true }
  const { node } = await client.updateNode({ id, organization }, ada)
  assert.deepEqual(node?.version, 3)
  assert.equal(node?.organization?.logo.length, 0)
  const { allowLinkSharing, allowPerWorkspaceStorage } = node?.organization ?? {}
  assert.deepEqual([allowLinkSharing, allowPerWorkspaceStorage], [true, true])
})

test('a logo is a PNG of bounded size; bad input names its field and writes nothing', async () => {
  const { client } = bench
  const { id } = await make(bench, ORGANIZATION)
  const workspace = await make(bench, WORKSPACE)
  const untouched = await contents(bench)
  const large = Buffer.alloc(300 * 1024)
  for (const logo of [Buffer.from('x'), png.subarray(0, 40), large]) {
    const organization = { logo }
    const request = { type: ORGANIZATION, name: 'o', organization }
    await refused(client.createNode(request, ada), invalid('logo'))
    await refused(client.updateNode({ id, organization }, ada), invalid('logo'))
  }
  for (const name of ['', 'a\0']) {
    await refused(client.createNode({ type: ORGANIZATION, name }, ada), invalid('name'))
  }
  for (const parentId of [newId(), 'x', workspace.id]) {
    const request = { type: WORKSPACE, name: 'w', parentId }
    await refused(client.createNode(request, ada), invalid('organization'))
    await refused(assign(workspace, parentId), invalid('organization'))
  }
  assert.deepEqual(await contents(bench), untouched)
})

test('workspaces come in the order in which they joined, and leave by an empty organization', async () => {
  const old = await make(bench, WORKSPACE)
  const organization = await make(bench, ORGANIZATION)
  const other = await make(bench, ORGANIZATION)
  const made = await make(bench, WORKSPACE, organization.id)
  assert.deepEqual(await get(bench, made), made)
  assert.equal(made.parentId, organization.id)
  const { node } = await assign(old, organization.id.toUpperCase())
  assert.deepEqual(node, await get(bench, old))
  assert.deepEqual([node?.parentId, node?.workspaceId, node?.version], [organization.id, old.id, 2])
  for (const pageSize of [1, 1000]) {
    assert.deepEqual(await workspacesOf(organization, pageSize), [made.id, old.id])
  }
  await assign(made, organization.id)
  assert.deepEqual(await workspacesOf(organization), [made.id, old.id], 'the same place')
  await assign(made, other.id)
  await assign(made, organization.id)
  assert.deepEqual(await workspacesOf(organization), [old.id, made.id])
  assert.equal((await assign(old, '')).node?.parentId, '')
  await bench.client.deleteNode({ id: made.id }, ada)
  assert.deepEqual(await workspacesOf(organization), [])
  assert.deepEqual(await workspacesOf(other), [])
})

test('its size and times are those of its workspaces, at once', async () => {
  const organization = await make(bench, ORGANIZATION)
  const { workspace, figure } = await makeTree(bench)
  await makeRevision(bench, figure.id, [5n])
  await assign(workspace, organization.id)
  const empty = await make(bench, WORKSPACE, organization.id)
  const last = await makeRevision(bench, figure.id, [7n])
  for (const fold of [async () => {}, bench.fold]) {
    await fold()
    const { sizeBytes, children, childUpdatedOn, childUpdatedBy } = await get(bench, organization)
    assert.deepEqual([sizeBytes, children, childUpdatedBy], [12n, 2, 'ada'])
    assert.deepEqual(childUpdatedOn, last.createdOn)
    const { nodes } = await bench.client.listNodes({ type: ORGANIZATION }, ada)
    assert.deepEqual(nodes.at(-1), await get(bench, organization))
  }
  await bench.client.deleteNode({ id: workspace.id }, ada)
  const { sizeBytes, children, childUpdatedOn } = await get(bench, organization)
  assert.deepEqual([sizeBytes, children], [0n, 1])
  assert.deepEqual(childUpdatedOn, empty.createdOn)
})

test('a list holds the organizations of the caller, in pages, oldest first', async () => {
  const eve = actAs(user('eve'))
  assert.deepEqual((await bench.client.listNodes({ type: ORGANIZATION }, eve)).nodes, [])
  const made: Node[] = []
  for (let n = 0; n < 3; n++) made.push(await make(bench, ORGANIZATION, '', eve))
  await make(bench, ORGANIZATION)
  const listed: Node[] = []
  let pageToken = ''
  do {
    const request = { type: ORGANIZATION, pageSize: 2, pageToken }
    const page = await bench.client.listNodes(request, eve)
    listed.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(listed, made)
  assert.ok(made.every((node, at) => at === 0 || microsOf(node) >= microsOf(made[at - 1] ?? node)))
})

test('401, 404, 403 in this order; who is in a workspace is not in its organization', async () => {
  const organization = await make(bench, ORGANIZATION)
  const workspace = await make(bench, WORKSPACE, organization.id)
  await grant(bench, 'bob', workspace, 'admin')
  const { id } = organization
  const type = ORGANIZATION
  for (const other of [id, newId()]) {
    await refused(bench.client.getNode({ id: other, type }, nobody), unauthenticated)
  }
  await refused(bench.client.createNode({ type, name: 'o' }, nobody), unauthenticated)
  await refused(bench.client.getNode({ id: newId(), type }, bob), notFound)
  await refused(bench.client.getNode({ id: workspace.id, type }, bob), notFound)
  await refused(bench.client.getNode({ id, type }, bob), denied)
  await refused(bench.client.listChildren({ parentId: id, type: WORKSPACE }, bob), denied)
  await refused(bench.client.updateNode({ id, type, name: '' }, bob), denied)
  await refused(bench.client.deleteNode({ id, type }, bob), denied)
})

test('making a workspace in an organization takes CREATE there; its maker owns it', async () => {
  const organization = await make(bench, ORGANIZATION)
  const request = { type: WORKSPACE, name: '', parentId: organization.id }
  const untouched = await contents(bench)
  await refused(bench.client.createNode(request, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
  await grant(bench, 'bob', organization, 'workspace_viewer')
  await refused(bench.client.createNode(request, bob), denied)
  await grant(bench, 'bob', organization, 'workspace_creator')
  const made = await make(bench, WORKSPACE, organization.id, bob)
  assert.equal((await get(bench, made)).createdBy, 'bob')
  await make(bench, ANALYSIS, made.id)
  await bench.query(
    `delete from access_grant where subject = 'bob' and node_id = '${organization.id}'`,
  )
  assert.deepEqual((await get(bench, made, bob)).id, made.id, 'his own stays his')
  await bench.client.deleteNode({ id: made.id }, ada)
})

test('assigning a workspace takes DELETE on it and CREATE in the organization', async () => {
  const mine = await make(bench, WORKSPACE)
  const theirs = await make(bench, ORGANIZATION, '', bob)
  await refused(assign(mine, theirs.id), denied)
  await grant(bench, 'ada', theirs, 'workspace_viewer')
  await refused(assign(mine, theirs.id), denied)
  await grant(bench, 'bob', mine, 'admin')
  await refused(assign(mine, theirs.id, bob), denied)
  assert.equal((await get(bench, mine)).parentId, '')
  await grant(bench, 'ada', theirs, 'workspace_creator')
  await assign(mine, theirs.id)
  // An admin of the workspace may change it, but not take it away; the org_admin may.
  const cyd = actAs(user('cyd'))
  await grant(bench, 'cyd', mine, 'admin')
  await bench.client.updateNode({ id: mine.id, name: 'n', parentId: theirs.id }, cyd)
  await refused(assign(mine, '', cyd), denied)
  assert.equal((await assign(mine, '', bob)).node?.parentId, '')
})

test('a deleted organization lets its workspaces go, with what is in them', async () => {
  const organization = await make(bench, ORGANIZATION)
  const { workspace, figure } = await makeTree(bench)
  await assign(workspace, organization.id)
  await grant(bench, 'bob', organization, 'org_admin')
  await get(bench, figure, bob)
  const { id } = organization
  const stale = { id, type: ORGANIZATION, expectedVersion: 7 }
  await refused(bench.client.deleteNode(stale, ada), {
    code: 'FailedPrecondition',
    error: 'version_mismatch',
  })
  await bench.client.deleteNode({ id, type: ORGANIZATION }, bob)
  await refused(bench.client.getNode({ id }, ada), notFound)
  assert.equal((await get(bench, workspace)).parentId, '')
  await refused(bench.client.getNode({ id: figure.id, type: FIGURE }, bob), denied)
  await refused(
    bench.client.createNode({ type: WORKSPACE, name: 'w', parentId: id }, ada),
    invalid('organization'),
  )
  const { nodes } = await bench.client.listNodes({ type: ORGANIZATION }, ada)
  assert.ok(nodes.every((node) => node.id !== id))
})

test('an organization holds as many workspaces as the setting says, also of those that come at once', async () => {
  const organization = await make(bench, ORGANIZATION)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => make(bench, WORKSPACE, organization.id)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 4)
  for (const { reason } of lost) await refused(Promise.reject(reason), invalid('organization'))
  assert.equal((await workspacesOf(organization)).length, 4)
  const outside = await make(bench, WORKSPACE)
  await refused(assign(outside, organization.id), invalid('organization'))
})

test('a workspace that two organizations take at once ends in one of them, readable there', async () => {
  const [one, other] = [await make(bench, ORGANIZATION), await make(bench, ORGANIZATION)]
  const workspace = await make(bench, WORKSPACE)
  await Promise.all([assign(workspace, one.id), assign(workspace, other.id)])
  const { parentId } = await get(bench, workspace)
  const inOne = await workspacesOf(one)
  const inOther = await workspacesOf(other)
  assert.deepEqual(parentId === one.id ? [inOne, inOther] : [inOther, inOne], [[workspace.id], []])
})
