import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  logOf,
  make,
  makeRevision,
  makeTree,
  microsOf,
  nobody,
  notFound,
  refused,
  startBench,
  sumsOf,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

test('one tombstone takes everything below out of every read at once', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [5n])
  const sibling = await make(bench, ANALYSIS, workspace.id)
  await client.deleteNode({ id: analysis.id, type: ANALYSIS }, ada)

  assert.deepEqual(await bench.query('select node_id, deleted_by from tombstone'), [
    { node_id: analysis.id, deleted_by: 'ada' },
  ])
  for (const { id, type } of [analysis, figure, revision]) {
    await refused(client.getNode({ id, type }, ada), notFound)
    await refused(client.checkAccess({ id, permission: Permission.VIEW }, ada), notFound)
    await refused(client.listChildren({ parentId: id, type: FIGURE }, ada), notFound)
    await refused(client.updateNode({ id, name: 'n' }, ada), notFound)
    await refused(client.deleteNode({ id }, ada), notFound)
    const listed = await client.listNodes({ type }, ada)
    assert.ok(listed.nodes.every((node) => node.id !== id))
  }
  const below = await client.listChildren({ parentId: workspace.id, type: ANALYSIS }, ada)
  assert.deepEqual(
    below.nodes.map((node) => node.id),
    [sibling.id],
  )
  const inside = { code: 'InvalidArgument', field: 'figure' } as const
  await refused(client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada), inside)
})

test('ancestors lose its size, and show who deleted and when', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  await makeRevision(bench, figure.id, [100n, 20n])
  const revision = await makeRevision(bench, figure.id, [3n])
  const sent = BigInt(Date.now()) * 1000n
  await bench.client.deleteNode({ id: revision.id, type: FIGURE_REVISION }, ada)
  const ancestors = [workspace, analysis, figure]
  const after = await sumsOf(bench, ...ancestors)
  for (const sums of after) {
    assert.equal(sums.sizeBytes, 120n)
    assert.equal(sums.childUpdatedBy, 'ada')
    assert.deepEqual(sums.childUpdatedOn, after[0]?.childUpdatedOn)
    assert.ok(sums.childUpdatedOn)
    assert.ok(microsOf({ ...revision, createdOn: sums.childUpdatedOn }) >= sent)
  }
  await bench.fold()
  assert.deepEqual(await sumsOf(bench, ...ancestors), after)
  await bench.client.deleteNode({ id: figure.id }, ada)
  assert.deepEqual(
    (await sumsOf(bench, workspace, analysis)).map((sums) => sums.sizeBytes),
    [0n, 0n],
  )
})

test('401, 404, 403, in this order, and nothing is written', async () => {
  const { client } = bench
  const { analysis, figure } = await makeTree(bench)
  const pending = await client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const { id } = analysis
  const untouched = await contents(bench)
  for (const other of [id, newId(), 'x']) {
    await refused(client.deleteNode({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', pending.id]) {
    await refused(client.deleteNode({ id: other }, ada), notFound)
  }
  await refused(client.deleteNode({ id, type: FIGURE }, ada), notFound)
  await refused(client.deleteNode({ id, type: ANALYSIS }, bob), denied)
  const old = client.deleteNode({ id, expectedVersion: 2 }, ada)
  await refused(old, { code: 'FailedPrecondition', error: 'version_mismatch' })
  assert.deepEqual(await contents(bench), untouched)
  await client.deleteNode({ id, expectedVersion: 1 }, ada)
})

test('a workspace is deleted by its owner only', async () => {
  const { id } = await make(bench, WORKSPACE)
  await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${id}', 'member', 'admin', 'ada')`)
  await refused(bench.client.deleteNode({ id }, bob), denied)
  await bench.client.deleteNode({ id }, ada)
})

test('of deletes at the same time one succeeds, and the size goes once', async () => {
  const { workspace, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [7n])
  await makeRevision(bench, figure.id, [1n])
  const calls = Array.from({ length: 4 }, () => bench.client.deleteNode({ id: revision.id }, ada))
  const outcomes = await Promise.allSettled(calls)
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  for (const one of outcomes) {
    if (one.status === 'rejected') await refused(Promise.reject(one.reason), notFound)
  }
  assert.equal((await get(bench, workspace)).sizeBytes, 1n)
})

test('the entry of a delete has its path and its time, and is silent where asked', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await bench.client.deleteNode({ id: revision.id, silent: true }, ada)
  await bench.client.deleteNode({ id: figure.id }, ada)
  const [, quiet] = await logOf(bench, revision.id)
  const [, loud] = await logOf(bench, figure.id)
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
