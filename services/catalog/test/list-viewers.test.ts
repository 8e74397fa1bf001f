import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  createNode,
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

test('lists the users with any role on the path of live nodes', async () => {
  const { id: mine } = await createNode(catalog, WORKSPACE)
  const { id: analysis } = await createNode(catalog, ANALYSIS, mine)
  const { id: bobs } = await createNode(catalog, WORKSPACE, '', bob)
  const { id: gone } = await createNode(catalog, WORKSPACE)
  await catalog.client.deleteNode({ id: gone, type: WORKSPACE }, ada)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('cleo', '${mine}', 'member', 'viewer', 'ada')`)
  const nodeIds = [mine, analysis, bobs, gone, newId()]
  const usernames = ['ada', 'bob', 'cleo', 'stranger', '']
  const { nodes } = await catalog.client.listViewers({ nodeIds, usernames }, system)
  const found = Object.fromEntries(nodes.map((one) => [one.nodeId, one.usernames.toSorted()]))
  assert.deepEqual(found, { [mine]: ['ada', 'cleo'], [analysis]: ['ada', 'cleo'], [bobs]: ['bob'] })
  await catalog.client.deleteNode({ id: mine, type: WORKSPACE }, ada)
  const after = await catalog.client.listViewers({ nodeIds: [mine, analysis], usernames }, system)
  assert.deepEqual(after.nodes, [])
})

test('only the system can call it, with limited lists', async () => {
  const { id } = await createNode(catalog, WORKSPACE)
  const nodeIds = [id]
  await assertError(catalog.client.listViewers({ nodeIds, usernames: ['bob'] }, ada), {
    code: 'PermissionDenied',
  })
  const many = Array.from({ length: 1001 }, newId)
  for (const ids of [['x'], many]) {
    await assertError(catalog.client.listViewers({ nodeIds: ids, usernames: [] }, system), {
      code: 'InvalidArgument',
      field: 'node_ids',
    })
  }
})
