import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { WorkspaceType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  logOf,
  nobody,
  notFound,
  startTestCatalog,
  sumsOf,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const mismatch = { code: 'FailedPrecondition', error: 'version_mismatch' } as const

test('changes the given fields only, and updates time and user of the ancestors', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const { id } = analysis
  const first = await client.updateNode({ id, type: ANALYSIS, description: 'd' }, ada)
  assert.ok(first.node)
  const { name, description, updatedBy, version } = first.node
  assert.deepEqual([name, description, updatedBy, version], ['a name', 'd', 'ada', 2])
  const { node } = await client.updateNode({ id, name: 'other', description: '' }, ada)
  assert.ok(node)
  assert.deepEqual([node.name, node.description, node.version], ['other', '', 3])
  assert.deepEqual(await get(catalog, node), node)

  const [above] = await sumsOf(catalog, workspace)
  assert.deepEqual(above, {
    sizeBytes: 0n,
    childUpdatedOn: node.updatedOn,
    childUpdatedBy: 'ada',
  })
  assert.deepEqual(await get(catalog, figure), figure, 'descendants do not change')
  const { updatedOn, updatedBy: by, version: its } = await get(catalog, workspace)
  assert.deepEqual([updatedOn, by, its], [undefined, undefined, 1])
})

test('accepts the current parent and type, and rejects others', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const { id } = figure
  const { node } = await client.updateNode({ id, parentId: analysis.id.toUpperCase() }, ada)
  assert.equal(node?.parentId, analysis.id)
  const same = { id: workspace.id, workspaceType: WorkspaceType.SECONDARY }
  await client.updateNode(same, ada)

  const untouched = await contents(catalog)
  const cases = [
    ['analysis', { id, parentId: workspace.id }],
    ['analysis', { id, parentId: newId() }],
    ['analysis', { id, parentId: '' }],
    ['workspace_type', { id: workspace.id, workspaceType: WorkspaceType.PRIMARY }],
    ['workspace_type', { id: workspace.id, workspaceType: WorkspaceType.UNSPECIFIED }],
    ['name', { id, name: '' }],
    ['name', { id, name: 'x'.repeat(501) }],
    ['name', { id, name: 'a\0' }],
    ['description', { id, description: '\0' }],
  ] as const
  for (const [field, request] of cases) {
    await assertError(client.updateNode(request, ada), { code: 'InvalidArgument', field })
  }
  assert.deepEqual(await contents(catalog), untouched)
})

test('checks 401, 404 and 403 in this order before the body', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const pending = await client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const { id } = analysis
  const untouched = await contents(catalog)
  for (const other of [id, newId(), 'x']) {
    await assertError(client.updateNode({ id: other, name: '' }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', pending.id]) {
    await assertError(client.updateNode({ id: other, name: '' }, ada), notFound)
  }
  await assertError(client.updateNode({ id, type: FIGURE, name: 'n' }, ada), notFound)
  await assertError(client.updateNode({ id, type: ANALYSIS, name: '' }, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
  await client.deleteNode({ id: workspace.id }, ada)
  await assertError(client.updateNode({ id, type: ANALYSIS, name: 'n' }, ada), notFound)
})

test('a member with role creator can change the content of a workspace, but not the workspace', async () => {
  const { workspace, analysis } = await createTree(catalog)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', 'creator', 'ada')`)
  const { node } = await catalog.client.updateNode({ id: analysis.id, name: 'by bob' }, bob)
  assert.equal(node?.updatedBy, 'bob')
  await assertError(catalog.client.updateNode({ id: workspace.id, name: 'by bob' }, bob), denied)
})

test('rejects an outdated version, and writes nothing', async () => {
  const { client } = catalog
  const { id } = await createNode(catalog, WORKSPACE)
  await client.updateNode({ id, name: 'n', expectedVersion: 1 }, ada)
  const untouched = await contents(catalog)
  await assertError(client.updateNode({ id, name: 'n', expectedVersion: 1 }, ada), mismatch)
  assert.deepEqual(await contents(catalog), untouched)
})

test('exactly one of several concurrent updates with the same version succeeds', async () => {
  const { client } = catalog
  const { analysis } = await createTree(catalog)
  const { id } = analysis
  for (let version = 1; version <= 5; version++) {
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) =>
        client.updateNode({ id, name, expectedVersion: version }, ada),
      ),
    )
    const [won, ...others] = outcomes.filter((one) => one.status === 'fulfilled')
    assert.equal(others.length, 0)
    assert.deepEqual(await get(catalog, analysis), won?.value.node)
    for (const lost of outcomes) {
      if (lost.status === 'rejected') await assertError(Promise.reject(lost.reason), mismatch)
    }
  }
  assert.equal((await logOf(catalog, id)).length, 1 + 5)
})

test('an update that waited for a deletion is 404, with or without a version', async () => {
  const { client, ctx } = catalog
  for (const condition of [{}, { expectedVersion: 1 }]) {
    const { id } = await createNode(catalog, WORKSPACE)
    const waited = await ctx.transact(async (tx) => {
      await tx.selectFrom('node').select('id').where('id', '=', id).forUpdate().execute()
      const call = client.updateNode({ id, name: 'n', ...condition }, ada)
      const settled = call.then(
        () => 'done',
        (error: unknown) => error,
      )
      await waitForLockWaiter(catalog)
      await tx
        .updateTable('node')
        .set({ deleted_on: new Date().toISOString() })
        .where('id', '=', id)
        .execute()
      return { settled }
    })
    await assertError(
      waited.settled.then((error) => Promise.reject(error)),
      notFound,
    )
  }
})

test('a rename does not wait for writes below the node', async () => {
  const { client, ctx } = catalog
  const { workspace } = await createTree(catalog)
  await ctx.transact(async (tx) => {
    await tx.selectFrom('node').select('id').where('id', '=', workspace.id).forKeyShare().execute()
    const update = { id: workspace.id, name: 'at once' }
    const { node } = await client.updateNode(update, { ...ada, timeoutMs: 5000 })
    assert.equal(node?.name, 'at once')
  })
})

test('an update has an activity entry with its path and time, silent if requested', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  await catalog.client.updateNode({ id: figure.id, name: 'new', silent: true }, ada)
  const [, entry] = await logOf(catalog, figure.id)
  assert.deepEqual(entry, {
    action: 'update',
    actor: 'ada',
    is_silent: true,
    request_id: 'request-1',
    workspace_id: workspace.id,
    analysis_id: analysis.id,
    figure_id: figure.id,
    target_id: figure.id,
    target_type: 'figure',
    target_name: 'new',
    is_same_time: true,
  })
})

async function waitForLockWaiter({ query }: TestCatalog) {
  for (;;) {
    const [row] = await query<{ n: number }>(`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    if (row?.n) return
  }
}
