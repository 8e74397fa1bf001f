import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  make,
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

test('those are named who may view: by any role on the path, of what is there', async () => {
  const { id: mine } = await make(bench, WORKSPACE)
  const { id: analysis } = await make(bench, ANALYSIS, mine)
  const { id: his } = await make(bench, WORKSPACE, '', bob)
  const { id: gone } = await make(bench, WORKSPACE)
  await bench.client.deleteNode({ id: gone, type: WORKSPACE }, ada)
  await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('cleo', '${mine}', 'member', 'viewer', 'ada')`)
  const nodeIds = [mine, analysis, his, gone, newId()]
  const usernames = ['ada', 'bob', 'cleo', 'stranger', '']
  const { nodes } = await bench.client.listViewers({ nodeIds, usernames }, system)
  const found = Object.fromEntries(nodes.map((one) => [one.nodeId, one.usernames.toSorted()]))
  assert.deepEqual(found, { [mine]: ['ada', 'cleo'], [analysis]: ['ada', 'cleo'], [his]: ['bob'] })
  await bench.client.deleteNode({ id: mine, type: WORKSPACE }, ada)
  const after = await bench.client.listViewers({ nodeIds: [mine, analysis], usernames }, system)
  assert.deepEqual(after.nodes, [])
})

test('only services may ask, and not for too many', async () => {
  const { id } = await make(bench, WORKSPACE)
  const nodeIds = [id]
  await refused(bench.client.listViewers({ nodeIds, usernames: ['bob'] }, ada), {
    code: 'PermissionDenied',
  })
  const many = Array.from({ length: 1001 }, newId)
  for (const ids of [['x'], many]) {
    await refused(bench.client.listViewers({ nodeIds: ids, usernames: [] }, system), {
      code: 'InvalidArgument',
      field: 'node_ids',
    })
  }
})
