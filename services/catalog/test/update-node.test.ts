import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { WorkspaceType } from '@figbase/proto/catalog'
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
  makeTree,
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

const mismatch = { code: 'FailedPrecondition', error: 'version_mismatch' } as const

test('what is left out stays, what is named changes, and ancestors show who and when', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id } = analysis
  const first = await client.updateNode({ id, type: ANALYSIS, description: 'd' }, ada)
  assert.ok(first.node)
  const { name, description, updatedBy, version } = first.node
  assert.deepEqual([name, description, updatedBy, version], ['a name', 'd', 'ada', 2])
  const { node } = await client.updateNode({ id, name: 'other', description: '' }, ada)
  assert.ok(node)
  assert.deepEqual([node.name, node.description, node.version], ['other', '', 3])
  assert.deepEqual(await get(bench, node), node)

  const [above] = await sumsOf(bench, workspace)
  assert.deepEqual(above, {
    sizeBytes: 0n,
    childUpdatedOn: node.updatedOn,
    childUpdatedBy: 'ada',
  })
  assert.deepEqual(await get(bench, figure), figure, 'what is below does not change')
  const { updatedOn, updatedBy: by, version: its } = await get(bench, workspace)
  assert.deepEqual([updatedOn, by, its], [undefined, undefined, 1])
})

test('the parent and the type that a node has already may be named, others are refused', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id } = figure
  const { node } = await client.updateNode({ id, parentId: analysis.id.toUpperCase() }, ada)
  assert.equal(node?.parentId, analysis.id)
  const same = { id: workspace.id, workspaceType: WorkspaceType.SECONDARY }
  await client.updateNode(same, ada)

  const untouched = await contents(bench)
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
    await refused(client.updateNode(request, ada), { code: 'InvalidArgument', field })
  }
  assert.deepEqual(await contents(bench), untouched)
})

test('401, 404, 403, in this order, before the body is looked at', async () => {
  const { client } = bench
  const { workspace, analysis, figure } = await makeTree(bench)
  const pending = await client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const { id } = analysis
  const untouched = await contents(bench)
  for (const other of [id, newId(), 'x']) {
    await refused(client.updateNode({ id: other, name: '' }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', pending.id]) {
    await refused(client.updateNode({ id: other, name: '' }, ada), notFound)
  }
  await refused(client.updateNode({ id, type: FIGURE, name: 'n' }, ada), notFound)
  await refused(client.updateNode({ id, type: ANALYSIS, name: '' }, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
  await client.deleteNode({ id: workspace.id }, ada)
  await refused(client.updateNode({ id, type: ANALYSIS, name: 'n' }, ada), notFound)
})

test('a creator of a workspace changes what is in it, but not the workspace', async () => {
  const { workspace, analysis } = await makeTree(bench)
  await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', 'creator', 'ada')`)
  const { node } = await bench.client.updateNode({ id: analysis.id, name: 'by bob' }, bob)
  assert.equal(node?.updatedBy, 'bob')
  await refused(bench.client.updateNode({ id: workspace.id, name: 'by bob' }, bob), denied)
})

test('a version that is no more is refused, and nothing is written', async () => {
  const { client } = bench
  const { id } = await make(bench, WORKSPACE)
  await client.updateNode({ id, name: 'n', expectedVersion: 1 }, ada)
  const untouched = await contents(bench)
  await refused(client.updateNode({ id, name: 'n', expectedVersion: 1 }, ada), mismatch)
  assert.deepEqual(await contents(bench), untouched)
})

test('of updates that expect the same version exactly one wins', async () => {
  const { client } = bench
  const { analysis } = await makeTree(bench)
  const { id } = analysis
  for (let version = 1; version <= 5; version++) {
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) =>
        client.updateNode({ id, name, expectedVersion: version }, ada),
      ),
    )
    const [won, ...others] = outcomes.filter((one) => one.status === 'fulfilled')
    assert.equal(others.length, 0)
    assert.deepEqual(await get(bench, analysis), won?.value.node)
    for (const lost of outcomes) {
      if (lost.status === 'rejected') await refused(Promise.reject(lost.reason), mismatch)
    }
  }
  assert.equal((await logOf(bench, id)).length, 1 + 5)
})

test('an update that waited for a delete answers 404, with or without a version', async () => {
  const { client, ctx } = bench
  for (const condition of [{}, { expectedVersion: 1 }]) {
    const { id } = await make(bench, WORKSPACE)
    const waited = await ctx.transact(async (tx) => {
      await tx.selectFrom('node').select('id').where('id', '=', id).forUpdate().execute()
      const call = client.updateNode({ id, name: 'n', ...condition }, ada)
      const settled = call.then(
        () => 'done',
        (error: unknown) => error,
      )
      await untilSomeoneWaits(bench)
      await tx
        .updateTable('node')
        .set({ deleted_on: new Date().toISOString() })
        .where('id', '=', id)
        .execute()
      return { settled }
    })
    await refused(
      waited.settled.then((error) => Promise.reject(error)),
      notFound,
    )
  }
})

test('a new name does not wait for what is written below', async () => {
  const { client, ctx } = bench
  const { workspace } = await makeTree(bench)
  await ctx.transact(async (tx) => {
    await tx.selectFrom('node').select('id').where('id', '=', workspace.id).forKeyShare().execute()
    const update = { id: workspace.id, name: 'at once' }
    const { node } = await client.updateNode(update, { ...ada, timeoutMs: 5000 })
    assert.equal(node?.name, 'at once')
  })
})

test('the entry of an update has its path and its time, and is silent where asked', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  await bench.client.updateNode({ id: figure.id, name: 'new', silent: true }, ada)
  const [, entry] = await logOf(bench, figure.id)
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

async function untilSomeoneWaits({ query }: Bench) {
  for (;;) {
    const [row] = await query<{ n: number }>(`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    if (row?.n) return
  }
}
