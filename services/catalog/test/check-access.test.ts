import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, newId, user } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

test('a role on the workspace carries its permissions down to a revision', async () => {
  const { workspace, figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id)
  const permissionsOf = {
    viewer: [Permission.VIEW],
    creator: [
      Permission.VIEW,
      Permission.CREATE,
      Permission.UPDATE,
      Permission.DELETE,
      Permission.SHARE,
    ],
  }
  for (const [role, granted] of Object.entries(permissionsOf)) {
    const as = actAs(user(role))
    await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('${role}', '${workspace.id}', 'member', '${role}', 'ada')`)
    for (const permission of [1, 2, 3, 4, 5, 6] as Permission[]) {
      const call = bench.client.checkAccess({ id, permission }, as)
      if (!granted.includes(permission)) await refused(call, denied)
      else assert.deepEqual((await call).type, FIGURE_REVISION)
    }
  }
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
