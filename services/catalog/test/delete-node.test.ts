import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { Permission } from '@figbase/proto/catalog'
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
  FIGURE_REVISION,
  get,
  logOf,
  microsOf,
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

test('one tombstone hides the whole subtree from every read', async () => {
  const { client } = catalog
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [5n])
  const sibling = await createNode(catalog, ANALYSIS, workspace.id)
  await client.deleteNode({ id: analysis.id, type: ANALYSIS }, ada)

  assert.deepEqual(await catalog.query('select node_id, deleted_by from tombstone'), [
    { node_id: analysis.id, deleted_by: 'ada' },
  ])
  for (const { id, type } of [analysis, figure, revision]) {
    await assertError(client.getNode({ id, type }, ada), notFound)
    await assertError(client.checkAccess({ id, permission: Permission.VIEW }, ada), notFound)
    await assertError(client.listChildren({ parentId: id, type: FIGURE }, ada), notFound)
    await assertError(client.updateNode({ id, name: 'n' }, ada), notFound)
    await assertError(client.deleteNode({ id }, ada), notFound)
    const listed = await client.listNodes({ type }, ada)
    assert.ok(listed.nodes.every((node) => node.id !== id))
  }
  const below = await client.listChildren({ parentId: workspace.id, type: ANALYSIS }, ada)
  assert.deepEqual(
    below.nodes.map((node) => node.id),
    [sibling.id],
  )
  const inside = { code: 'InvalidArgument', field: 'figure' } as const
  await assertError(client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada), inside)
})

test('a deletion reduces the sizes of the ancestors and updates their time and user', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  await createRevision(catalog, figure.id, [100n, 20n])
  const revision = await createRevision(catalog, figure.id, [3n])
  const sent = BigInt(Date.now()) * 1000n
  await catalog.client.deleteNode({ id: revision.id, type: FIGURE_REVISION }, ada)
  const ancestors = [workspace, analysis, figure]
  const after = await sumsOf(catalog, ...ancestors)
  for (const sums of after) {
    assert.equal(sums.sizeBytes, 120n)
    assert.equal(sums.childUpdatedBy, 'ada')
    assert.deepEqual(sums.childUpdatedOn, after[0]?.childUpdatedOn)
    assert.ok(sums.childUpdatedOn)
    assert.ok(microsOf({ ...revision, createdOn: sums.childUpdatedOn }) >= sent)
  }
  await catalog.fold()
  assert.deepEqual(await sumsOf(catalog, ...ancestors), after)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  assert.deepEqual(
    (await sumsOf(catalog, workspace, analysis)).map((sums) => sums.sizeBytes),
    [0n, 0n],
  )
})

test('checks 401, 404 and 403 in this order, and writes nothing', async () => {
  const { client } = catalog
  const { analysis, figure } = await createTree(catalog)
  const pending = await client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const { id } = analysis
  const untouched = await contents(catalog)
  for (const other of [id, newId(), 'x']) {
    await assertError(client.deleteNode({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', pending.id]) {
    await assertError(client.deleteNode({ id: other }, ada), notFound)
  }
  await assertError(client.deleteNode({ id, type: FIGURE }, ada), notFound)
  await assertError(client.deleteNode({ id, type: ANALYSIS }, bob), denied)
  const old = client.deleteNode({ id, expectedVersion: 2 }, ada)
  await assertError(old, { code: 'FailedPrecondition', error: 'version_mismatch' })
  assert.deepEqual(await contents(catalog), untouched)
  await client.deleteNode({ id, expectedVersion: 1 }, ada)
})

test('only the owner can delete a workspace', async () => {
  const { id } = await createNode(catalog, WORKSPACE)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${id}', 'member', 'admin', 'ada')`)
  await assertError(catalog.client.deleteNode({ id }, bob), denied)
  await catalog.client.deleteNode({ id }, ada)
})

test('one of several concurrent deletions succeeds, and the size is subtracted once', async () => {
  const { workspace, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [7n])
  await createRevision(catalog, figure.id, [1n])
  const calls = Array.from({ length: 4 }, () => catalog.client.deleteNode({ id: revision.id }, ada))
  const outcomes = await Promise.allSettled(calls)
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  for (const one of outcomes) {
    if (one.status === 'rejected') await assertError(Promise.reject(one.reason), notFound)
  }
  assert.equal((await get(catalog, workspace)).sizeBytes, 1n)
})

test('a deletion has an activity entry with its path and time, silent if requested', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await catalog.client.deleteNode({ id: revision.id, silent: true }, ada)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  const [, quiet] = await logOf(catalog, revision.id)
  const [, loud] = await logOf(catalog, figure.id)
  const entry = {
    action: 'delete',
    actor: 'ada',
    is_silent: true,
    request_id: 'request-1',
    workspace_id: workspace.id,
    analysis_id: analysis.id,
    figure_id: figure.id,
    target_id: revision.id,
    target_type: 'figure_revision',
    target_name: null,
    is_same_time: true,
  }
  assert.deepEqual(quiet, entry)
  const of = { target_id: figure.id, target_type: 'figure', target_name: 'a name' }
  assert.deepEqual(loud, { ...entry, ...of, is_silent: false })
})
