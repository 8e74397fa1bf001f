import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WorkspaceType } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  contents,
  denied,
  get,
  logOf,
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

test('a user has one primary workspace, however often and at once it is ensured', async () => {
  const calls = Array.from({ length: 6 }, () =>
    bench.client.ensurePrimaryWorkspace({ username: 'ada' }, system),
  )
  const ids = new Set((await Promise.all(calls)).map((reply) => reply.workspaceId))
  assert.equal(ids.size, 1)
  const [id = ''] = ids
  const { nodes } = await bench.client.listNodes({ type: WORKSPACE }, ada)
  assert.equal(nodes.length, 1)
  const [node] = nodes
  assert.ok(node)
  assert.equal(node.id, id)
  assert.equal(node.workspaceType, WorkspaceType.PRIMARY)
  assert.match(node.name, /primary/i)
  assert.match(node.description ?? '', /ada.*primary/)
  assert.equal(node.createdBy, 'ada')
  const log = await logOf(bench, id)
  assert.deepEqual(
    log.map((row) => [row.action, row.actor, row.workspace_id, row.is_same_time]),
    [['create', 'ada', id, true]],
  )
})

test('it can be renamed, but neither deleted nor made secondary', async () => {
  const { workspaceId: id } = await bench.client.ensurePrimaryWorkspace({ username: 'ada' }, system)
  const { node } = await bench.client.updateNode(
    { id, name: 'mine', workspaceType: WorkspaceType.PRIMARY },
    ada,
  )
  assert.ok(node)
  assert.equal(node.name, 'mine')
  const untouched = await contents(bench)
  const primary = { code: 'FailedPrecondition', error: 'primary_workspace' } as const
  await refused(bench.client.deleteNode({ id }, ada), primary)
  const changed = { id, workspaceType: WorkspaceType.SECONDARY }
  const field = 'workspace_type'
  await refused(bench.client.updateNode(changed, ada), { code: 'InvalidArgument', field })
  await refused(bench.client.deleteNode({ id }, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
  assert.deepEqual(await get(bench, node), node)
})

test('only the system ensures one, for a named user', async () => {
  await refused(bench.client.ensurePrimaryWorkspace({ username: 'eve' }, ada), {
    code: 'PermissionDenied',
  })
  for (const username of ['', 'a\0']) {
    const call = bench.client.ensurePrimaryWorkspace({ username }, system)
    await refused(call, { code: 'InvalidArgument', field: 'username' })
  }
  const other = await make(bench, WORKSPACE)
  assert.equal(other.workspaceType, WorkspaceType.SECONDARY)
})
