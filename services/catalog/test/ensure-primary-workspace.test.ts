import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WorkspaceType } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  contents,
  createNode,
  denied,
  get,
  logOf,
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

test('repeated and concurrent calls create one primary workspace', async () => {
  const calls = Array.from({ length: 6 }, () =>
    catalog.client.ensurePrimaryWorkspace({ username: 'ada' }, system),
  )
  const ids = new Set((await Promise.all(calls)).map((reply) => reply.workspaceId))
  assert.equal(ids.size, 1)
  const [id = ''] = ids
  const { nodes } = await catalog.client.listNodes({ type: WORKSPACE }, ada)
  assert.equal(nodes.length, 1)
  const [node] = nodes
  assert.ok(node)
  assert.equal(node.id, id)
  assert.equal(node.workspaceType, WorkspaceType.PRIMARY)
  assert.match(node.name, /primary/i)
  assert.match(node.description ?? '', /ada.*primary/)
  assert.equal(node.createdBy, 'ada')
  const log = await logOf(catalog, id)
  assert.deepEqual(
    log.map((row) => [row.action, row.actor, row.workspace_id, row.is_same_time]),
    [['create', 'ada', id, true]],
  )
})

test('a primary workspace can be renamed, but not deleted or made secondary', async () => {
  const { workspaceId: id } = await catalog.client.ensurePrimaryWorkspace(
    { username: 'ada' },
    system,
  )
  const { node } = await catalog.client.updateNode(
    { id, name: 'mine', workspaceType: WorkspaceType.PRIMARY },
    ada,
  )
  assert.ok(node)
  assert.equal(node.name, 'mine')
  const untouched = await contents(catalog)
  const primary = { code: 'FailedPrecondition', error: 'primary_workspace' } as const
  await assertError(catalog.client.deleteNode({ id }, ada), primary)
  const changed = { id, workspaceType: WorkspaceType.SECONDARY }
  const field = 'workspace_type'
  await assertError(catalog.client.updateNode(changed, ada), { code: 'InvalidArgument', field })
  await assertError(catalog.client.deleteNode({ id }, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
  assert.deepEqual(await get(catalog, node), node)
})

test('only the system can call it, with a username', async () => {
  await assertError(catalog.client.ensurePrimaryWorkspace({ username: 'eve' }, ada), {
    code: 'PermissionDenied',
  })
  for (const username of ['', 'a\0']) {
    const call = catalog.client.ensurePrimaryWorkspace({ username }, system)
    await assertError(call, { code: 'InvalidArgument', field: 'username' })
  }
  const other = await createNode(catalog, WORKSPACE)
  assert.equal(other.workspaceType, WorkspaceType.SECONDARY)
})
