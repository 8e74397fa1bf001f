import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallOptions } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { type Node, type NodeType, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  nobody,
  notFound,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const permissions = [1, 2, 3, 4, 5, 6] as Permission[]

/** Grants a role with SQL; other tests cover the RPCs. */
const grant = (subject: string, { id }: { id: string }, kind: string, role: string) =>
  catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('${subject}', '${id}', '${kind}', '${role}', 'ada')`)

async function addToOrganization(workspace: Node) {
  const organization = { id: newId() }
  await catalog.query(`insert into organization (node_id) values ('${organization.id}')`)
  await catalog.query(
    `update node set organization_id = '${organization.id}' where id = '${workspace.id}'`,
  )
  return organization
}

async function permissionsOf(as: CallOptions, id: string, type: NodeType) {
  const granted: string[] = []
  for (const permission of permissions) {
    const call = catalog.client.checkAccess({ id, permission, type }, as)
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!error) granted.push(Permission[permission])
    else await assertError(Promise.reject(error), as === nobody ? unauthenticated : denied)
  }
  return granted
}

const everything = ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'SHARE', 'MANAGE']
const work = ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'SHARE']
const below = { viewer: ['VIEW'], creator: work, admin: everything, owner: everything }

test('a workspace role applies to everything below it, down to a revision', async () => {
  const { workspace, figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id)
  for (const [role, granted] of Object.entries(below)) {
    await grant(`w-${role}`, workspace, 'member', role)
    const as = actAs(user(`w-${role}`))
    assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), granted, role)
  }
})

test('an organization role applies in its own workspaces only', async () => {
  const { workspace, figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id)
  const elsewhere = await createTree(catalog)
  const organization = await addToOrganization(workspace)
  const roles = { viewer: 'workspace_viewer', creator: 'workspace_creator' }
  const all = { ...roles, admin: 'workspace_admin', owner: 'org_admin' }
  for (const [same, role] of Object.entries(all)) {
    await grant(`o-${role}`, organization, 'member', role)
    const as = actAs(user(`o-${role}`))
    const granted = below[same as keyof typeof below]
    assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), granted, role)
    assert.deepEqual(await permissionsOf(as, elsewhere.figure.id, FIGURE), [], role)
  }
  await catalog.query(`update node set organization_id = null where id = '${workspace.id}'`)
  const as = actAs(user('o-org_admin'))
  assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), [], 'taken out')
})

test('a share grants one user VIEW on the object and its descendants only', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const other = await createNode(catalog, FIGURE, analysis.id)
  const { id } = await createRevision(catalog, figure.id)
  await grant('bob', figure, 'share', 'viewer')
  assert.deepEqual(await permissionsOf(bob, figure.id, FIGURE), ['VIEW'])
  assert.deepEqual(await permissionsOf(bob, id, FIGURE_REVISION), ['VIEW'])
  for (const { id, type } of [workspace, analysis, other]) {
    assert.deepEqual(await permissionsOf(bob, id, type), [])
  }
  assert.deepEqual(await permissionsOf(nobody, figure.id, FIGURE), [])
})

test('a link grants everybody VIEW, anonymous callers included, while the organization allows links', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id)
  await grant('', analysis, 'link', 'viewer')
  const seen = async (as: CallOptions) => [
    ...(await permissionsOf(as, analysis.id, ANALYSIS)),
    ...(await permissionsOf(as, id, FIGURE_REVISION)),
    ...(await permissionsOf(as, workspace.id, WORKSPACE)),
  ]
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
  const organization = await addToOrganization(workspace)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
  const allow = (allowed: boolean) =>
    catalog.query(`update organization set allow_link_sharing = ${allowed}
      where node_id = '${organization.id}'`)
  await allow(false)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), [])
  assert.deepEqual(await permissionsOf(ada, figure.id, FIGURE), everything, 'members stay')
  await allow(true)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
})

test('staff have no additional permissions', async () => {
  const { figure } = await createTree(catalog)
  assert.deepEqual(await permissionsOf(actAs(user('root', true)), figure.id, FIGURE), [])
})

test('the response contains the type and the workspace', async () => {
  const { workspace, figure } = await createTree(catalog)
  const request = { id: figure.id, permission: Permission.VIEW }
  const { type, workspaceId } = await catalog.client.checkAccess(request, ada)
  assert.deepEqual({ type, workspaceId }, { type: FIGURE, workspaceId: workspace.id })
})

test('401 takes precedence over 404, and 404 over 403', async () => {
  const { figure } = await createTree(catalog)
  const { id } = figure
  const permission = Permission.VIEW
  const pending = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: id }, ada)
  const check = (request: object, as = bob) =>
    catalog.client.checkAccess({ id, permission, ...request }, as)
  for (const other of [{}, { id: newId() }, { id: 'x' }, { type: ANALYSIS }]) {
    await assertError(check(other, nobody), unauthenticated)
  }
  for (const other of [{ id: newId() }, { id: 'x' }, { type: ANALYSIS }, { id: pending.id }]) {
    await assertError(check(other), notFound)
  }
  await assertError(check({}), denied)
  await assertError(check({ permission: Permission.UNSPECIFIED }, ada), denied)
  await catalog.client.deleteNode({ id, type: FIGURE }, ada)
  await assertError(check({}), notFound)
  await assertError(check({}, ada), notFound)
})
