import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, unavailable } from '@figbase/kit/errors'
import { actAsSystem } from '@figbase/kit/rpc'
import { DataType } from '@figbase/proto/revisions'
import { failsWith, settled } from './failure.js'
import {
  ada,
  append,
  type Bench,
  change,
  changed,
  leftovers,
  processed,
  publish,
  startBench,
  type,
} from './service.js'

const file = (bytes: Uint8Array) => ({ bytes, type: DataType.FILE })
const away = unavailable('catalog is away')
const gone = failure(Code.NotFound, 'not_found', 'no such thing')

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const unsettled = () => bench.query<{ id: string }>('select id from revision_update order by seq')
const known = async (ids: string[]) => (await bench.client.findExisting({ ids }, actAsSystem())).ids

test('updates that catalog missed are committed, and the job applies them in order', async () => {
  const { id } = await publish(bench, [file(randomBytes(10))])
  bench.catalog.failing.set('ActivateUpdate', away)
  const first = await change(bench, id, [file(randomBytes(100))], { silent: true })
  assert.equal(first.sizeBytes, 100n)
  assert.equal(first.updatedBy, 'ada')
  const second = await append(bench, id, [file(randomBytes(1))])
  assert.equal(second.sizeBytes, 101n)
  assert.equal(bench.catalog.nodes.get(id)?.sizeBytes, 10n)
  const ids = (await unsettled()).map((row) => row.id)
  assert.deepEqual([...bench.catalog.reservations.keys()], ids)
  // Catalog asks about reservations that were never settled.
  assert.deepEqual((await known([...ids, id])).sort(), [...ids, id].sort())
  bench.catalog.failing.clear()

  await settled(async () => assert.deepEqual(await unsettled(), []))
  const applied = bench.catalog.applied.filter((one) => ids.includes(one.id))
  assert.deepEqual(applied, [
    { id: ids[0], nodeId: id, silent: true, hasLeaves: true },
    { id: ids[1], nodeId: id, silent: false, hasLeaves: true },
  ])
  assert.equal(bench.catalog.nodes.get(id)?.sizeBytes, 101n)
  assert.deepEqual(await known(ids), [])
  const done = await processed(bench, id)
  assert.deepEqual(done.data, second.data)
})

test('repeats a call to catalog when the answer was lost', async () => {
  const { id } = await publish(bench, [file(randomBytes(10))])
  let lost = 0
  bench.catalog.lose('ActivateUpdate', () => ++lost === 1)
  const updated = await append(bench, id, [file(randomBytes(5))])
  assert.equal(lost, 2)
  assert.equal(updated.sizeBytes, 15n)
  assert.equal(bench.catalog.applied.filter((one) => one.nodeId === id).length, 1)
  await settled(async () => assert.deepEqual(await unsettled(), []))
})

test('rejects an update of a deleted revision, and leaves nothing', async () => {
  const { id } = await publish(bench, [file(randomBytes(10))])
  const before = await leftovers(bench)
  bench.catalog.failing.set('ReserveUpdate', gone)
  await failsWith(change(bench, id, [file(randomBytes(20))]), { code: 'NotFound' })
  bench.catalog.failing.clear()
  assert.deepEqual(await leftovers(bench), before)

  bench.catalog.failing.set('ActivateUpdate', gone)
  await failsWith(change(bench, id, [file(randomBytes(20))]), { code: 'NotFound' })
  await settled(async () => assert.deepEqual(await unsettled(), []))
  bench.catalog.failing.clear()
  const after = await leftovers(bench)
  assert.equal(after.rows.upload, undefined)
  await isCounted()
  // Catalog does the same for unknown reservations.
  assert.deepEqual(await known([...bench.catalog.reservations.keys()]), [])
  bench.catalog.reservations.clear()
})

/** Checks that each reference count is right, and that each object has a blob. */
async function isCounted() {
  const wrong = await bench.query(
    `select b.id from blob b left join external_data d on d.blob_id = b.id
      group by b.id having b.refs <> count(d.id)`,
  )
  assert.deepEqual(wrong, [])
  const rows = await bench.query<{ key: string }>('select key from blob order by key')
  const stored = (await bench.keys()).filter((key) => key.startsWith('uploads/'))
  assert.deepEqual(
    stored,
    rows.map(({ key }) => key),
  )
}

test('changes nothing when the commit fails', async () => {
  const created = await publish(bench, [file(randomBytes(10))])
  const before = { left: await leftovers(bench), holds: bench.catalog.reservations.size }
  await bench.query('alter table external_data add constraint no_more check (false) not valid')
  const call = change(bench, created.id, [file(randomBytes(9))], { metadataJson: '[1]' })
  await failsWith(call, { code: 'Internal' })
  await bench.query('alter table external_data drop constraint no_more')
  assert.deepEqual({ left: await leftovers(bench), holds: bench.catalog.reservations.size }, before)
  const { revision } = await bench.client.getRevision({ id: created.id, type }, ada)
  assert.deepEqual(revision, created)
})

test('a lost connection at the commit leaves nothing', async () => {
  const { id } = await publish(bench, [file(randomBytes(10))])
  // Fails at the end of the transaction.
  await bench.query(`create function cut() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`)
  await bench.query(`create constraint trigger cut after insert on revision_update
    deferrable initially deferred for each row execute function cut()`)
  await assert.rejects(change(bench, id, [file(randomBytes(20))], { metadataJson: '"lost"' }))
  await bench.query('drop trigger cut on revision_update')
  assert.equal(bench.catalog.reservations.size, 0)
  const { revision } = await bench.client.getRevision({ id, type }, ada)
  assert.equal(revision?.sizeBytes, 10n)
  assert.equal(revision.metadataJson, '{}')
  await isCounted()
})

test('an upload that another process discarded changes nothing', async () => {
  const created = await publish(bench, [file(randomBytes(10))])
  async function* overtaken() {
    yield* changed(created.id, [file(randomBytes(10))], undefined)
    await settled(async () => assert.equal((await bench.query('select from upload')).length, 1))
    await bench.query(`update upload set state = 'discarded'`)
    yield { part: { case: 'finish' as const, value: {} } }
  }
  await assert.rejects(bench.client.updateRevision(overtaken(), ada), /interrupted/)
  const { revision } = await bench.client.getRevision({ id: created.id, type }, ada)
  assert.deepEqual(revision, created)
  assert.equal(bench.catalog.reservations.size, 0)
  await settled(async () => assert.deepEqual(await bench.query('select id from upload'), []))
  await isCounted()
})

test('does not commit a reservation that catalog may have settled', async () => {
  const { id } = await publish(bench, [file(randomBytes(10))])
  const before = await processed(bench, id)
  const keys = await bench.keys()
  bench.catalog.delay.micros = 601_000_000n
  await failsWith(change(bench, id, [file(randomBytes(100))]), { code: 'Unavailable' })
  bench.catalog.delay.micros = 0n
  assert.deepEqual(await processed(bench, id), before)
  assert.deepEqual(await bench.keys(), keys)
  assert.equal(bench.catalog.reservations.size, 0)
  assert.equal((await change(bench, id, [file(randomBytes(100))])).sizeBytes, 100n)
})
