import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startServing } from '@figbase/kit/service'
import { DataType } from '@figbase/proto/revisions'
import { stagedPrefix } from '../src/domain/object-keys.js'
import { revisions } from '../src/index.js'
import { leftAfterCollection, maintenanceOf } from './maintenance.js'
import {
  ada,
  type Bench,
  download,
  leftovers,
  parts,
  publish,
  startBench,
  unfinished,
  until,
} from './service.js'

const text = (bytes: Uint8Array) => ({ bytes, type: DataType.TEXT })

/** Starts another process of the service on the same database and objects. */
const startAnother = ({ service }: Bench) =>
  startServing(revisions, {
    DATABASE_URL: service.databaseUrl,
    OBJECTS_DIR: service.objectsDir,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'fatal',
  })

const uploads = (bench: Bench) => bench.query<{ id: string }>('select id from upload')

async function* bytes() {
  yield randomBytes(1000)
}

test('removes the staged objects of a killed process', async () => {
  await using bench = await startBench()
  const kept = await publish(bench, [text(Buffer.from('kept'))])
  const [blob] = await bench.query<{ key: string }>('select key from blob')
  const committed = blob?.key.split('/')[2]?.slice(0, -'-0'.length) ?? ''
  const open = randomUUID()
  await bench.query(
    `insert into upload (id, instance, state) values ($1, 1, 'open'), ($2, 1, 'committed')`,
    [open, committed],
  )
  await bench.service.objects.put(`${stagedPrefix(open)}0`, bytes())
  await bench.service.objects.put(`${stagedPrefix(open)}1`, bytes())
  await bench.service.objects.put(`${stagedPrefix(committed)}7`, bytes())

  await using _ = await startAnother(bench)
  assert.deepEqual(await bench.keys(), [blob?.key])
  assert.deepEqual(await uploads(bench), [])
  assert.equal((await download(bench, kept.data[0]?.id ?? '')).bytes.toString(), 'kept')
})

test('keeps the uploads of a live process', async () => {
  await using bench = await startBench()
  let resume = () => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  const first = randomBytes(10)
  async function* slow() {
    yield* unfinished(bench.figureId, [text(first)])
    await resumed
    yield* parts(undefined, [text(Buffer.from('second'))])
  }
  const call = bench.client.createRevision(slow(), ada)
  await until(async () => (await bench.keys()).length === 1)
  {
    await using _ = await startAnother(bench)
    assert.equal((await uploads(bench)).length, 1)
  }
  resume()
  const { revision } = await call
  const back = await download(bench, revision?.data[0]?.id ?? '')
  assert.ok(back.bytes.equals(first))
})

test('takes its lock again after its session is lost', async () => {
  await using bench = await startBench()
  const sessions = () =>
    bench.query<{ pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and application_name = 'figbase revisions instance'
         and datname = current_database()`,
    )
  const [before] = await sessions()
  await bench.query('select pg_terminate_backend($1)', [before?.pid])
  await until(async () => (await sessions()).some(({ pid }) => pid !== before?.pid))
  await publish(bench, [text(randomBytes(10))])
})

test('does not commit an upload that another process discarded', async () => {
  await using bench = await startBench()
  async function* overtaken() {
    yield* unfinished(bench.figureId, [text(randomBytes(10))])
    await until(async () => (await bench.keys()).length === 1)
    await bench.query(`update upload set state = 'discarded'`)
    yield* parts(undefined, [])
  }
  await assert.rejects(bench.client.createRevision(overtaken(), ada), /interrupted/)
  assert.deepEqual(await bench.keys(), [])
  assert.deepEqual(await uploads(bench), [])
})

/** Small objects are buffered in memory. By default the bench stores each as it comes in. */
const held = { COLLECT_GRACE: '1d' }

test('stores small objects without an upload row, large or many objects with one', async () => {
  await using bench = await startBench('local', { ...held, UPLOAD_MEMORY_BYTES_MAX: '1000' })
  await bench.query('alter table upload add constraint no_row check (false) not valid')
  const [first, second] = [randomBytes(400), randomBytes(600)]
  const published = await publish(bench, [text(first), text(second)])
  for (const [at, bytes] of [first, second].entries()) {
    assert.ok((await download(bench, published.data[at]?.id ?? '')).bytes.equals(bytes))
  }
  for (const objects of [[randomBytes(1001)], [first, second, randomBytes(1)]]) {
    await assert.rejects(publish(bench, objects.map(text)), /internal/)
  }
})

test('keeps an object with an unknown outcome until it is collected', async () => {
  await using bench = await startBench('local', held)
  const before = await leftovers(bench)
  await bench.query(
    `create function end_session() returns trigger language plpgsql as
       'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`,
  )
  await bench.query(
    'create trigger end_session before insert on external_data execute function end_session()',
  )
  await assert.rejects(publish(bench, [text(randomBytes(10))]))
  await bench.query('drop trigger end_session on external_data')
  const left = await leftovers(bench)
  assert.equal(left.keys.length, 1)
  assert.deepEqual({ ...left, keys: [] }, before)
  await using maintenance = await maintenanceOf(bench)
  await leftAfterCollection(maintenance)
  assert.deepEqual(await leftovers(bench), before)
})

test('stores equal bytes once', async () => {
  await using bench = await startBench('local', held)
  const bytes = randomBytes(10)
  await publish(bench, [text(bytes)])
  const again = await publish(bench, [text(bytes), text(bytes)])
  assert.equal((await bench.keys()).length, 1)
  assert.ok((await download(bench, again.data[1]?.id ?? '')).bytes.equals(bytes))
})

test('stores no object without a row when there is no grace period', async () => {
  await using bench = await startBench('local', { COLLECT_GRACE: '9m' })
  await bench.query('alter table upload add constraint no_row check (false) not valid')
  await assert.rejects(publish(bench, [text(randomBytes(10))]), /internal/)
})
