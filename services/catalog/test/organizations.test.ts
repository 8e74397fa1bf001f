import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
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
  microsOf,
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
  catalog = await startTestCatalog({ env: { CHILDREN_MAX: '4' } })
})
after(() => catalog[Symbol.asyncDispose]())

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
    const page = await catalog.client.listChildren(request, ada)
    ids.push(...page.nodes.map((node) => node.id))
    pageToken = page.nextPageToken
  } while (pageToken)
  return ids
}

const assign = ({ id }: Node, parentId: string, as = ada) =>
  catalog.client.updateNode({ id, type: WORKSPACE, parentId }, as)

test('the creator of an organization is its org_admin; returns it as GetNode does', async () => {
  const node = await createNode(catalog, ORGANIZATION)
  assert.deepEqual(await get(catalog, node), node)
  const { parentId, workspaceId, children, sizeBytes, organization, childUpdatedOn } = node
  assert.deepEqual([parentId, workspaceId, children, sizeBytes], ['', '', 0, 0n])
  assert.equal(childUpdatedOn, undefined)
  assert.equal(organization?.logo.length, 0)
  assert.deepEqual(
    [organization?.allowLinkSharing, organization?.allowPerWorkspaceStorage],
    [true, false],
  )
  assert.deepEqual(
    await catalog.query(
      `select subject, kind, role from access_grant where node_id = '${node.id}'`,
    ),
    [{ subject: 'ada', kind: 'member', role: 'org_admin' }],
  )
})

test('creates and updates organization settings, and clears the logo', async () => {
  const { client } = catalog
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

test('rejects invalid settings and logos by field, and writes nothing', async () => {
  const { client } = catalog
  const { id } = await createNode(catalog, ORGANIZATION)
  const workspace = await createNode(catalog, WORKSPACE)
  const untouched = await contents(catalog)
  const large = Buffer.alloc(300 * 1024)
  for (const logo of [Buffer.from('x'), png.subarray(0, 40), large]) {
    const organization = { logo }
    const request = { type: ORGANIZATION, name: 'o', organization }
    await assertError(client.createNode(request, ada), invalid('logo'))
    await assertError(client.updateNode({ id, organization }, ada), invalid('logo'))
  }
  for (const name of ['', 'a\0']) {
    await assertError(client.createNode({ type: ORGANIZATION, name }, ada), invalid('name'))
  }
  for (const parentId of [newId(), 'x', workspace.id]) {
    const request = { type: WORKSPACE, name: 'w', parentId }
    await assertError(client.createNode(request, ada), invalid('organization'))
    await assertError(assign(workspace, parentId), invalid('organization'))
  }
  assert.deepEqual(await contents(catalog), untouched)
})

test('lists workspaces in the order of joining; an empty organization removes a workspace', async () => {
  const old = await createNode(catalog, WORKSPACE)
  const organization = await createNode(catalog, ORGANIZATION)
  const other = await createNode(catalog, ORGANIZATION)
  const made = await createNode(catalog, WORKSPACE, organization.id)
  assert.deepEqual(await get(catalog, made), made)
  assert.equal(made.parentId, organization.id)
  const { node } = await assign(old, organization.id.toUpperCase())
  assert.deepEqual(node, await get(catalog, old))
  assert.deepEqual([node?.parentId, node?.workspaceId, node?.version], [organization.id, old.id, 2])
  for (const pageSize of [1, 1000]) {
    assert.deepEqual(await workspacesOf(organization, pageSize), [made.id, old.id])
  }
  await assign(made, organization.id)
  assert.deepEqual(await workspacesOf(organization), [made.id, old.id], 'the same order')
  await assign(made, other.id)
  await assign(made, organization.id)
  assert.deepEqual(await workspacesOf(organization), [old.id, made.id])
  assert.equal((await assign(old, '')).node?.parentId, '')
  await catalog.client.deleteNode({ id: made.id }, ada)
  assert.deepEqual(await workspacesOf(organization), [])
  assert.deepEqual(await workspacesOf(other), [])
})

test('size and times of an organization follow its workspaces immediately', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const { workspace, figure } = await createTree(catalog)
  await createRevision(catalog, figure.id, [5n])
  await assign(workspace, organization.id)
  const empty = await createNode(catalog, WORKSPACE, organization.id)
  const last = await createRevision(catalog, figure.id, [7n])
  for (const fold of [async () => {}, catalog.fold]) {
    await fold()
    const { sizeBytes, children, childUpdatedOn, childUpdatedBy } = await get(catalog, organization)
    assert.deepEqual([sizeBytes, children, childUpdatedBy], [12n, 2, 'ada'])
    assert.deepEqual(childUpdatedOn, last.createdOn)
    const { nodes } = await catalog.client.listNodes({ type: ORGANIZATION }, ada)
    assert.deepEqual(nodes.at(-1), await get(catalog, organization))
  }
  await catalog.client.deleteNode({ id: workspace.id }, ada)
  const { sizeBytes, children, childUpdatedOn } = await get(catalog, organization)
  assert.deepEqual([sizeBytes, children], [0n, 1])
  assert.deepEqual(childUpdatedOn, empty.createdOn)
})

test('lists the organizations of the caller in pages, oldest first', async () => {
  const eve = actAs(user('eve'))
  assert.deepEqual((await catalog.client.listNodes({ type: ORGANIZATION }, eve)).nodes, [])
  const made: Node[] = []
  for (let n = 0; n < 3; n++) made.push(await createNode(catalog, ORGANIZATION, '', eve))
  await createNode(catalog, ORGANIZATION)
  const listed: Node[] = []
  let pageToken = ''
  do {
    const request = { type: ORGANIZATION, pageSize: 2, pageToken }
    const page = await catalog.client.listNodes(request, eve)
    listed.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(listed, made)
  assert.ok(made.every((node, at) => at === 0 || microsOf(node) >= microsOf(made[at - 1] ?? node)))
})

test('checks 401, 404 and 403 in this order; workspace members have no access to the organization', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const workspace = await createNode(catalog, WORKSPACE, organization.id)
  await grant(catalog, 'bob', workspace, 'admin')
  const { id } = organization
  const type = ORGANIZATION
  for (const other of [id, newId()]) {
    await assertError(catalog.client.getNode({ id: other, type }, nobody), unauthenticated)
  }
  await assertError(catalog.client.createNode({ type, name: 'o' }, nobody), unauthenticated)
  await assertError(catalog.client.getNode({ id: newId(), type }, bob), notFound)
  await assertError(catalog.client.getNode({ id: workspace.id, type }, bob), notFound)
  await assertError(catalog.client.getNode({ id, type }, bob), denied)
  await assertError(catalog.client.listChildren({ parentId: id, type: WORKSPACE }, bob), denied)
  await assertError(catalog.client.updateNode({ id, type, name: '' }, bob), denied)
  await assertError(catalog.client.deleteNode({ id, type }, bob), denied)
})

test('creating a workspace in an organization takes CREATE there; its creator is the owner', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const request = { type: WORKSPACE, name: '', parentId: organization.id }
  const untouched = await contents(catalog)
  await assertError(catalog.client.createNode(request, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
  await grant(catalog, 'bob', organization, 'workspace_viewer')
  await assertError(catalog.client.createNode(request, bob), denied)
  await grant(catalog, 'bob', organization, 'workspace_creator')
  const made = await createNode(catalog, WORKSPACE, organization.id, bob)
  assert.equal((await get(catalog, made)).createdBy, 'bob')
  await createNode(catalog, ANALYSIS, made.id)
  await catalog.query(
    `delete from access_grant where subject = 'bob' and node_id = '${organization.id}'`,
  )
  assert.deepEqual(
    (await get(catalog, made, bob)).id,
    made.id,
    'their own workspace is still visible',
  )
  await catalog.client.deleteNode({ id: made.id }, ada)
})

test('moving a workspace into an organization takes DELETE on it and CREATE there', async () => {
  const mine = await createNode(catalog, WORKSPACE)
  const theirs = await createNode(catalog, ORGANIZATION, '', bob)
  await assertError(assign(mine, theirs.id), denied)
  await grant(catalog, 'ada', theirs, 'workspace_viewer')
  await assertError(assign(mine, theirs.id), denied)
  await grant(catalog, 'bob', mine, 'admin')
  await assertError(assign(mine, theirs.id, bob), denied)
  assert.equal((await get(catalog, mine)).parentId, '')
  await grant(catalog, 'ada', theirs, 'workspace_creator')
  await assign(mine, theirs.id)
  // A workspace admin can change the workspace, but not move it out; the org_admin can.
  const cyd = actAs(user('cyd'))
  await grant(catalog, 'cyd', mine, 'admin')
  await catalog.client.updateNode({ id: mine.id, name: 'n', parentId: theirs.id }, cyd)
  await assertError(assign(mine, '', cyd), denied)
  assert.equal((await assign(mine, '', bob)).node?.parentId, '')
})

test('deleting an organization keeps its workspaces with their content', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const { workspace, figure } = await createTree(catalog)
  await assign(workspace, organization.id)
  await grant(catalog, 'bob', organization, 'org_admin')
  await get(catalog, figure, bob)
  const { id } = organization
  const stale = { id, type: ORGANIZATION, expectedVersion: 7 }
  await assertError(catalog.client.deleteNode(stale, ada), {
    code: 'FailedPrecondition',
    error: 'version_mismatch',
  })
  await catalog.client.deleteNode({ id, type: ORGANIZATION }, bob)
  await assertError(catalog.client.getNode({ id }, ada), notFound)
  assert.equal((await get(catalog, workspace)).parentId, '')
  await assertError(catalog.client.getNode({ id: figure.id, type: FIGURE }, bob), denied)
  await assertError(
    catalog.client.createNode({ type: WORKSPACE, name: 'w', parentId: id }, ada),
    invalid('organization'),
  )
  const { nodes } = await catalog.client.listNodes({ type: ORGANIZATION }, ada)
  assert.ok(nodes.every((node) => node.id !== id))
})

test('enforces CHILDREN_MAX for workspaces, even with concurrent moves', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => createNode(catalog, WORKSPACE, organization.id)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 4)
  for (const { reason } of lost) await assertError(Promise.reject(reason), invalid('organization'))
  assert.equal((await workspacesOf(organization)).length, 4)
  const outside = await createNode(catalog, WORKSPACE)
  await assertError(assign(outside, organization.id), invalid('organization'))
})

test('concurrent moves into two organizations put the workspace into one of them', async () => {
  const [one, other] = [
    await createNode(catalog, ORGANIZATION),
    await createNode(catalog, ORGANIZATION),
  ]
  const workspace = await createNode(catalog, WORKSPACE)
  await Promise.all([assign(workspace, one.id), assign(workspace, other.id)])
  const { parentId } = await get(catalog, workspace)
  const inOne = await workspacesOf(one)
  const inOther = await workspacesOf(other)
  assert.deepEqual(parentId === one.id ? [inOne, inOther] : [inOther, inOne], [[workspace.id], []])
})
