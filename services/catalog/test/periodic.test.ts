import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { ensurePartitions } from '../src/periodic/activity-partitions.js'
import { foldDeltas } from '../src/periodic/fold-deltas.js'
import { settlePending } from '../src/periodic/settle-pending.js'
import {
  ada,
  createRevision,
  createTree,
  FIGURE_REVISION,
  get,
  logOf,
  startTestCatalog,
  sumsOf,
  type TestCatalog,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { PENDING_SETTLE_AFTER: '10m' } })
})
after(() => catalog[Symbol.asyncDispose]())

const { signal } = new AbortController()

test('folding does not change any response, even with concurrent folds and many deltas', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  await createRevision(catalog, figure.id, [11n])
  const ancestors = [workspace, analysis, figure]
  // More than two batches with the same time, so that the newest actor is the last one.
  await catalog.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select '${workspace.id}', 1, 0, '2100-01-01', 'user' || g from generate_series(1, 20500) g`)
  const before = await sumsOf(catalog, ...ancestors)
  assert.deepEqual([before[0]?.sizeBytes, before[0]?.childUpdatedBy], [20_511n, 'user20500'])
  await catalog.fold()
  assert.deepEqual(await sumsOf(catalog, ...ancestors), before)
  assert.deepEqual(await catalog.query('select from node_delta'), [], 'one run takes all')

  await catalog.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select id, 2, 0, now(), 'ada' from node, generate_series(1, 4000)`)
  const waiting = await sumsOf(catalog, ...ancestors)
  await Promise.all(Array.from({ length: 4 }, () => catalog.fold()))
  assert.deepEqual(await sumsOf(catalog, ...ancestors), waiting)
})

test('an aborted fold stops after its batch', async () => {
  await catalog.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select gen_random_uuid(), 1, 0, now(), 'ada' from generate_series(1, 25000)`)
  await foldDeltas.run(catalog.ctx, AbortSignal.abort())
  const [row] = await catalog.query<{ n: number }>('select count(*)::int as n from node_delta')
  assert.equal(row?.n, 15_000)
})

test('deletes old reservations that the revisions service does not know, and no others', async () => {
  const { figure } = await createTree(catalog)
  const reserve = async (minutes: number) => {
    const request = { type: FIGURE_REVISION, parentId: figure.id }
    const { id } = await catalog.client.reserve(request, ada)
    await catalog.query(`update node set created_on = now() - interval '${minutes} min'
      where id = '${id}'`)
    return id
  }
  const lost = await reserve(11)
  const recent = await reserve(9)
  const known = await reserve(30)
  catalog.stored.add(known)
  const active = await createRevision(catalog, figure.id, [4n])
  await catalog.query(`update node set created_on = now() - interval '1 day'
    where id = '${active.id}'`)
  await settlePending.run(catalog.ctx, signal)
  const left = await catalog.query<{ id: string }>(
    `select id from node where parent_id = '${figure.id}' order by seq`,
  )
  assert.deepEqual(
    left.map((row) => row.id),
    [recent, known, active.id],
  )
  assert.ok(!left.some((row) => row.id === lost))
  await catalog.client.activate({ id: known }, ada)
})

test('deletes old update reservations that the revisions service does not know', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id, [4n])
  const reserve = async (minutes: number) => {
    const { updateId } = await catalog.client.reserveUpdate({ id, growthBytes: 5n }, ada)
    await catalog.query(`update update_hold set at = now() - interval '${minutes} min', held_bytes = 5
      where id = '${updateId}'`)
    return updateId
  }
  const lost = await reserve(11)
  const recent = await reserve(9)
  const known = await reserve(30)
  catalog.stored.add(known)
  await settlePending.run(catalog.ctx, signal)
  const left = await catalog.query<{ id: string }>('select id from update_hold order by seq')
  assert.deepEqual(
    left.map((row) => row.id),
    [recent, known],
  )
  const untouched = await get(catalog, { id, type: FIGURE_REVISION })
  const { node } = await catalog.client.activateUpdate({ updateId: lost, id }, ada)
  assert.deepEqual(node, untouched)
  await catalog.client.activateUpdate({ updateId: known, id }, ada)
  await catalog.client.abandonUpdate({ updateId: recent }, ada)
  assert.deepEqual(await catalog.query('select from update_hold'), [])
})

test('finds an unknown reservation after many known ones', async () => {
  const { figure } = await createTree(catalog)
  const old = Array.from({ length: 1100 }, newId)
  for (const id of old.slice(0, -1)) catalog.stored.add(id)
  await catalog.query(`insert into node (id, type, parent_id, lineage, workspace_id, state, created_by,
      created_on)
    select unnest(array['${old.join("','")}']::uuid[]), 'figure_revision', id, lineage,
           workspace_id, 'pending', 'ada', now() - interval '1 hour'
      from node where id = '${figure.id}'`)
  await settlePending.run(catalog.ctx, signal)
  const left = await catalog.query(`select from node where state = 'pending'
    and parent_id = '${figure.id}'`)
  assert.equal(left.length, 1099)
  assert.ok(!(await catalog.query(`select from node where id = '${old.at(-1)}'`)).length)
})

test('a run returns whether it found anything', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id, [4n])
  assert.equal(await foldDeltas.run(catalog.ctx, signal), true)
  assert.equal(await foldDeltas.run(catalog.ctx, signal), false)

  await catalog.query(`delete from node where state = 'pending'`)
  await catalog.query('delete from update_hold')
  const settled = () => settlePending.run(catalog.ctx, signal)
  assert.equal(await settled(), false)
  const recent = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  assert.equal(await settled(), false, 'the reservation is not old enough')
  await catalog.query(
    `update node set created_on = now() - interval '1 h' where id = '${recent.id}'`,
  )
  assert.equal(await settled(), true)
  assert.equal(await settled(), false)
  const { updateId } = await catalog.client.reserveUpdate({ id, growthBytes: 5n }, ada)
  await catalog.query(`update update_hold set at = now() - interval '1 h' where id = '${updateId}'`)
  assert.equal(await settled(), true)
  assert.equal(await settled(), false)
})

test('creates partitions of the log for the previous month and three months ahead', async () => {
  const months = async () => {
    const rows = await catalog.query<{ name: string }>(`select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'activity'::regclass order by 1`)
    return rows.map((row) => row.name)
  }
  const now = new Date()
  const made = around(now)
  assert.deepEqual(await months(), made)
  await ensurePartitions(catalog.ctx)
  assert.deepEqual(await months(), made)
  const later = new Date(Date.UTC(now.getUTCFullYear() + 1, 11, 31, 23, 59, 59))
  await Promise.all(Array.from({ length: 4 }, () => ensurePartitions(catalog.ctx, later)))
  assert.deepEqual(await months(), [...new Set([...made, ...around(later)])].sort())

  const { figure } = await createTree(catalog)
  const { id } = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  await catalog.query(`update node set created_on = date_trunc('month', now()) + interval '1 month'
    where id = '${id}'`)
  const { node } = await catalog.client.activate({ id }, ada)
  assert.ok(node)
  assert.deepEqual(await get(catalog, node), node)
  const rows = await catalog.query<{ name: string }>(
    `select tableoid::regclass::text as name from activity where target_id = '${id}'`,
  )
  assert.deepEqual(rows, [{ name: partitionAt(now, 1) }])
  assert.equal((await logOf(catalog, id)).length, 1)
})

const around = (now: Date) => [-1, 0, 1, 2, 3].map((ahead) => partitionAt(now, ahead))

const partitionAt = (now: Date, ahead: number) =>
  `activity_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '_')}`
