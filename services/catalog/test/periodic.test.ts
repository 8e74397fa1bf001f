import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { ensurePartitions } from '../src/periodic/activity-partitions.js'
import { foldDeltas } from '../src/periodic/fold-deltas.js'
import { settlePending } from '../src/periodic/settle-pending.js'
import {
  ada,
  type Bench,
  FIGURE_REVISION,
  get,
  logOf,
  makeRevision,
  makeTree,
  startBench,
  sumsOf,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { PENDING_SETTLE_AFTER: '10m' } })
})
after(() => bench[Symbol.asyncDispose]())

const { signal } = new AbortController()

test('folding changes no answer, whoever else folds, however much waits', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  await makeRevision(bench, figure.id, [11n])
  const ancestors = [workspace, analysis, figure]
  // More than two batches, of one time, so that the newest actor is the last of them.
  await bench.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select '${workspace.id}', 1, 0, '2100-01-01', 'user' || g from generate_series(1, 20500) g`)
  const before = await sumsOf(bench, ...ancestors)
  assert.deepEqual([before[0]?.sizeBytes, before[0]?.childUpdatedBy], [20_511n, 'user20500'])
  await bench.fold()
  assert.deepEqual(await sumsOf(bench, ...ancestors), before)
  assert.deepEqual(await bench.query('select from node_delta'), [], 'one run takes all')

  await bench.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select id, 2, 0, now(), 'ada' from node, generate_series(1, 4000)`)
  const waiting = await sumsOf(bench, ...ancestors)
  await Promise.all(Array.from({ length: 4 }, () => bench.fold()))
  assert.deepEqual(await sumsOf(bench, ...ancestors), waiting)
})

test('a fold that is stopped ends after its batch', async () => {
  await bench.query(`insert into node_delta (node_id, size_bytes, children, at, actor)
    select gen_random_uuid(), 1, 0, now(), 'ada' from generate_series(1, 25000)`)
  await foldDeltas.run(bench.ctx, AbortSignal.abort())
  const [row] = await bench.query<{ n: number }>('select count(*)::int as n from node_delta')
  assert.equal(row?.n, 15_000)
})

test('of old reservations go those that their owner does not know, and no others', async () => {
  const { figure } = await makeTree(bench)
  const reserve = async (minutes: number) => {
    const request = { type: FIGURE_REVISION, parentId: figure.id }
    const { id } = await bench.client.reserve(request, ada)
    await bench.query(`update node set created_on = now() - interval '${minutes} min'
      where id = '${id}'`)
    return id
  }
  const lost = await reserve(11)
  const young = await reserve(9)
  const known = await reserve(30)
  bench.stored.add(known)
  const active = await makeRevision(bench, figure.id, [4n])
  await bench.query(`update node set created_on = now() - interval '1 day'
    where id = '${active.id}'`)
  await settlePending.run(bench.ctx, signal)
  const left = await bench.query<{ id: string }>(
    `select id from node where parent_id = '${figure.id}' order by seq`,
  )
  assert.deepEqual(
    left.map((row) => row.id),
    [young, known, active.id],
  )
  assert.ok(!left.some((row) => row.id === lost))
  await bench.client.activate({ id: known }, ada)
})

test('of old updates go those that their owner does not know, with what they held', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id, [4n])
  const reserve = async (minutes: number) => {
    const { updateId } = await bench.client.reserveUpdate({ id, growthBytes: 5n }, ada)
    await bench.query(`update update_hold set at = now() - interval '${minutes} min', held_bytes = 5
      where id = '${updateId}'`)
    return updateId
  }
  const lost = await reserve(11)
  const young = await reserve(9)
  const known = await reserve(30)
  bench.stored.add(known)
  await settlePending.run(bench.ctx, signal)
  const left = await bench.query<{ id: string }>('select id from update_hold order by seq')
  assert.deepEqual(
    left.map((row) => row.id),
    [young, known],
  )
  const untouched = await get(bench, { id, type: FIGURE_REVISION })
  const { node } = await bench.client.activateUpdate({ updateId: lost, id }, ada)
  assert.deepEqual(node, untouched)
  await bench.client.activateUpdate({ updateId: known, id }, ada)
  await bench.client.abandonUpdate({ updateId: young }, ada)
  assert.deepEqual(await bench.query('select from update_hold'), [])
})

test('many that their owner knows do not hide one that it does not', async () => {
  const { figure } = await makeTree(bench)
  const old = Array.from({ length: 1100 }, newId)
  for (const id of old.slice(0, -1)) bench.stored.add(id)
  await bench.query(`insert into node (id, type, parent_id, lineage, workspace_id, state, created_by,
      created_on)
    select unnest(array['${old.join("','")}']::uuid[]), 'figure_revision', id, lineage,
           workspace_id, 'pending', 'ada', now() - interval '1 hour'
      from node where id = '${figure.id}'`)
  await settlePending.run(bench.ctx, signal)
  const left = await bench.query(`select from node where state = 'pending'
    and parent_id = '${figure.id}'`)
  assert.equal(left.length, 1099)
  assert.ok(!(await bench.query(`select from node where id = '${old.at(-1)}'`)).length)
})

test('a run that found nothing says so, and one that found something that it did', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id, [4n])
  assert.equal(await foldDeltas.run(bench.ctx, signal), true)
  assert.equal(await foldDeltas.run(bench.ctx, signal), false)

  await bench.query(`delete from node where state = 'pending'`)
  await bench.query('delete from update_hold')
  const settled = () => settlePending.run(bench.ctx, signal)
  assert.equal(await settled(), false)
  const young = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  assert.equal(await settled(), false, 'it is too young to be lost')
  await bench.query(`update node set created_on = now() - interval '1 h' where id = '${young.id}'`)
  assert.equal(await settled(), true)
  assert.equal(await settled(), false)
  const { updateId } = await bench.client.reserveUpdate({ id, growthBytes: 5n }, ada)
  await bench.query(`update update_hold set at = now() - interval '1 h' where id = '${updateId}'`)
  assert.equal(await settled(), true)
  assert.equal(await settled(), false)
})

test('the log has partitions for the month before and three ahead, and more in time', async () => {
  const months = async () => {
    const rows = await bench.query<{ name: string }>(`select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'activity'::regclass order by 1`)
    return rows.map((row) => row.name)
  }
  const now = new Date()
  const made = around(now)
  assert.deepEqual(await months(), made)
  await ensurePartitions(bench.ctx)
  assert.deepEqual(await months(), made)
  const later = new Date(Date.UTC(now.getUTCFullYear() + 1, 11, 31, 23, 59, 59))
  await Promise.all(Array.from({ length: 4 }, () => ensurePartitions(bench.ctx, later)))
  assert.deepEqual(await months(), [...new Set([...made, ...around(later)])].sort())

  const { figure } = await makeTree(bench)
  const { id } = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  await bench.query(`update node set created_on = date_trunc('month', now()) + interval '1 month'
    where id = '${id}'`)
  const { node } = await bench.client.activate({ id }, ada)
  assert.ok(node)
  assert.deepEqual(await get(bench, node), node)
  const rows = await bench.query<{ name: string }>(
    `select tableoid::regclass::text as name from activity where target_id = '${id}'`,
  )
  assert.deepEqual(rows, [{ name: partitionAt(now, 1) }])
  assert.equal((await logOf(bench, id)).length, 1)
})

const around = (now: Date) => [-1, 0, 1, 2, 3].map((ahead) => partitionAt(now, ahead))

const partitionAt = (now: Date, ahead: number) =>
  `activity_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '_')}`
