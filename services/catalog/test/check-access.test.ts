import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallOptions } from '@connectrpc/connect'
import { actAs, newId, user } from '@figbase/kit'
import { type Node, type NodeType, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const permissions = [1, 2, 3, 4, 5, 6] as Permission[]

/** Grants a role as the RPCs do that are tested elsewhere. */
const grant = (subject: string, { id }: { id: string }, kind: string, role: string) =>
  bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('${subject}', '${id}', '${kind}', '${role}', 'ada')`)

async function organize(workspace: Node) {
  const organization = { id: newId() }
  await bench.query(`insert into organization (node_id) values ('${organization.id}')`)
  await bench.query(
    `update node set organization_id = '${organization.id}' where id = '${workspace.id}'`,
  )
  return organization
}

async function permissionsOf(as: CallOptions, id: string, type: NodeType) {
  const granted: string[] = []
  for (const permission of permissions) {
    const call = bench.client.checkAccess({ id, permission, type }, as)
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!error) granted.push(Permission[permission])
    else await refused(Promise.reject(error), as === nobody ? unauthenticated : denied)
  }
  return granted
}

const everything = ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'SHARE', 'MANAGE']
const work = ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'SHARE']
const below = { viewer: ['VIEW'], creator: work, admin: everything, owner: everything }

test('a role on the workspace carries its permissions down to a revision', async () => {
  const { workspace, figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id)
  for (const [role, granted] of Object.entries(below)) {
    await grant(`w-${role}`, workspace, 'member', role)
    const as = actAs(user(`w-${role}`))
    assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), granted, role)
  }
})

test('a role in the organization holds in its workspaces, and in no other', async () => {
  const { workspace, figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id)
  const elsewhere = await makeTree(bench)
  const organization = await organize(workspace)
  const roles = { viewer: 'workspace_viewer', creator: 'workspace_creator' }
  const all = { ...roles, admin: 'workspace_admin', owner: 'org_admin' }
  for (const [same, role] of Object.entries(all)) {
    await grant(`o-${role}`, organization, 'member', role)
    const as = actAs(user(`o-${role}`))
    const granted = below[same as keyof typeof below]
    assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), granted, role)
    assert.deepEqual(await permissionsOf(as, elsewhere.figure.id, FIGURE), [], role)
  }
  await bench.query(`update node set organization_id = null where id = '${workspace.id}'`)
  const as = actAs(user('o-org_admin'))
  assert.deepEqual(await permissionsOf(as, id, FIGURE_REVISION), [], 'taken out')
})

test('a share lets one user see the object and what is below it, nothing else', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const other = await make(bench, FIGURE, analysis.id)
  const { id } = await makeRevision(bench, figure.id)
  await grant('bob', figure, 'share', 'viewer')
  assert.deepEqual(await permissionsOf(bob, figure.id, FIGURE), ['VIEW'])
  assert.deepEqual(await permissionsOf(bob, id, FIGURE_REVISION), ['VIEW'])
  for (const { id, type } of [workspace, analysis, other]) {
    assert.deepEqual(await permissionsOf(bob, id, type), [])
  }
  assert.deepEqual(await permissionsOf(nobody, figure.id, FIGURE), [])
})

test('a link lets everybody see, anonymous callers too, while the organization allows it', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id)
  await grant('', analysis, 'link', 'viewer')
  const seen = async (as: CallOptions) => [
    ...(await permissionsOf(as, analysis.id, ANALYSIS)),
    ...(await permissionsOf(as, id, FIGURE_REVISION)),
    ...(await permissionsOf(as, workspace.id, WORKSPACE)),
  ]
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
  const organization = await organize(workspace)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
  const allow = (allowed: boolean) =>
    bench.query(`update organization set allow_link_sharing = ${allowed}
      where node_id = '${organization.id}'`)
  await allow(false)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), [])
  assert.deepEqual(await permissionsOf(ada, figure.id, FIGURE), everything, 'members stay')
  await allow(true)
  for (const as of [bob, nobody]) assert.deepEqual(await seen(as), ['VIEW', 'VIEW'])
})

test('staff get no right of their own', async () => {
  const { figure } = await makeTree(bench)
  assert.deepEqual(await permissionsOf(actAs(user('root', true)), figure.id, FIGURE), [])
})

test('the answer names the type and the workspace', async () => {
  const { workspace, figure } = await makeTree(bench)
  const request = { id: figure.id, permission: Permission.VIEW }
  const { type, workspaceId } = await bench.client.checkAccess(request, ada)
  assert.deepEqual({ type, workspaceId }, { type: FIGURE, workspaceId: workspace.id })
})

test('401 before 404 before 403', async () => {
  const { figure } = await makeTree(bench)
  const { id } = figure
  const permission = Permission.VIEW
  const pending = await bench.client.reserve({ type: FIGURE_REVISION, parentId: id }, ada)
  const check = (request: object, as = bob) =>
    bench.client.checkAccess({ id, permission, ...request }, as)
  for (const other of [{}, { id: newId() }, { id: 'x' }, { type: ANALYSIS }]) {
    await refused(check(other, nobody), unauthenticated)
  }
  for (const other of [{ id: newId() }, { id: 'x' }, { type: ANALYSIS }, { id: pending.id }]) {
    await refused(check(other), notFound)
  }
  await refused(check({}), denied)
  await refused(check({ permission: Permission.UNSPECIFIED }, ada), denied)
  await bench.client.deleteNode({ id, type: FIGURE }, ada)
  await refused(check({}), notFound)
  await refused(check({}, ada), notFound)
})
