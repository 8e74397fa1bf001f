import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startServing } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { DataType, RevisionsService } from '@figbase/proto/revisions'
import { segmentPrefix } from '../src/domain/object-keys.js'
import { revisions } from '../src/index.js'
import { failsWith, settled } from './failure.js'
import { type AppendMessage, add, begin, offsetOf, pieces, uploaded } from './resumable.js'
import {
  ada,
  type Bench,
  download,
  leftovers,
  nothing,
  publish,
  startBench,
  until,
} from './service.js'

/** Starts another process of the service on the same database and objects. */
const startAnother = ({ service }: Bench) =>
  startServing(revisions, {
    DATABASE_URL: service.databaseUrl,
    OBJECTS_DIR: service.objectsDir,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    LOG_LEVEL: 'fatal',
  })

async function* bytesOf(bytes: Uint8Array) {
  yield bytes
}
const named = (uploadId: string) => ({ type: DataType.FILE, uploadId })

test('an upload expires after its last bytes, and is removed', async () => {
  await using bench = await startBench('local', { UPLOAD_EXPIRY: '1500ms' })
  const { id, expiresOn } = await begin(bench)
  await add(bench, id, 0, randomBytes(1000))
  const { upload } = await bench.client.getUpload({ id }, ada)
  const nanos = (time = expiresOn) =>
    (time?.seconds ?? 0n) * 1_000_000_000n + BigInt(time?.nanos ?? 0)
  assert.ok(nanos(upload?.expiresOn) > nanos())
  const missing = { code: 'NotFound' } as const
  await settled(async () => {
    await failsWith(bench.client.getUpload({ id }, ada), missing)
  })
  await failsWith(add(bench, id, 1000, randomBytes(1)), missing)
  const use = publish(bench, [named(id)])
  await failsWith(use, { code: 'InvalidArgument', field: 'data[0].upload' })
  await using _ = await startAnother(bench)
  assert.deepEqual(await leftovers(bench), nothing)
})

test('removes bytes that a killed process stored but did not add', async () => {
  await using bench = await startBench()
  const bytes = randomBytes(100_000)
  const { id } = await begin(bench, { lengthBytes: 100_000n })
  await add(bench, id, 0, bytes.subarray(0, 40_000))
  const dead = 'update resumable_upload set append_id = $2, append_instance = 1 where id = $1'
  await bench.query(dead, [id, randomUUID()])
  await bench.service.objects.put(`${segmentPrefix(id)}${randomUUID()}`, bytesOf(bytes))

  assert.equal(await offsetOf(bench, id), 40_000)
  assert.equal(await add(bench, id, 40_000, bytes.subarray(40_000)), 100_000)
  const { data } = await publish(bench, [named(id)])
  assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
  const blobs = await bench.query<{ key: string }>('select key from blob')
  assert.deepEqual(
    await bench.keys(),
    blobs.map(({ key }) => key),
  )
})

test('removes an ended upload of a killed process', async () => {
  await using bench = await startBench()
  const used = await uploaded(bench, randomBytes(1000))
  await publish(bench, [named(used)])
  const keys = await bench.keys()
  const ended = await uploaded(bench, randomBytes(1000))
  const dead = `update resumable_upload set append_id = $2, append_instance = 1, state = 'ended' where id = $1`
  await bench.query(dead, [ended, randomUUID()])
  await using _ = await startAnother(bench)
  assert.deepEqual(await bench.query('select 1 from resumable_upload'), [])
  assert.deepEqual(await bench.keys(), keys)
})

test('leaves an upload to the process that appends to it', async () => {
  await using bench = await startBench()
  const bytes = randomBytes(1000)
  let resume = () => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  const { id } = await begin(bench)
  async function* slow(): AsyncGenerator<AppendMessage> {
    yield* pieces(id, 0, bytes)
    await resumed
  }
  const call = bench.client.appendUpload(slow(), ada)
  const running = () => bench.query('select 1 from resumable_upload where append_id is not null')
  await settled(async () => assert.equal((await running()).length, 1))
  await bench.query(
    `update resumable_upload set expires_on = now() - interval '1 h' where id = $1`,
    [id],
  )
  await using _ = await startAnother(bench)
  assert.equal((await running()).length, 1)
  resume()
  assert.equal((await call).upload?.offsetBytes, 1000n)
})

for (const replicas of [1, 2]) {
  test(`an append that could not record its end blocks nobody (${replicas} processes)`, async () => {
    await using bench = await startBench()
    const { id } = await begin(bench, { lengthBytes: 10n })
    let resume = () => {}
    const resumed = new Promise<void>((resolve) => {
      resume = resolve
    })
    async function* slow(): AsyncGenerator<AppendMessage> {
      yield* pieces(id, 0, Buffer.alloc(5))
      await resumed
    }
    const first = bench.client.appendUpload(slow(), ada)
    const held = 'select append_instance as n from resumable_upload where append_id is not null'
    const instance = await until(async () => (await bench.query<{ n: number }>(held))[0]?.n)
    resume()
    await first
    const lost = 'update resumable_upload set append_id = $2, append_instance = $3 where id = $1'
    await bench.query(lost, [id, randomUUID(), instance])

    await using other = await startTestService(revisions, {
      transport: 'local',
      databaseUrl: bench.service.databaseUrl,
      peers: bench.catalog.routes,
    })
    const second = replicas === 1 ? bench : { client: other.client(RevisionsService) }
    assert.equal(await add(second, id, 5, Buffer.alloc(5)), 10)
  })
}

test('collection keeps the segments of uploads', async () => {
  await using bench = await startBench()
  const bytes = randomBytes(100_000)
  const open = await begin(bench, { lengthBytes: 200_000n })
  await add(bench, open.id, 0, bytes)
  const id = await uploaded(bench, bytes)
  await bench.collect()
  const { data } = await publish(bench, [named(id)])
  await bench.collect()
  assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
  assert.equal(await add(bench, open.id, 100_000, bytes), 200_000)
  const whole = (await publish(bench, [named(open.id)])).data[0]?.id ?? ''
  assert.ok((await download(bench, whole)).bytes.equals(Buffer.concat([bytes, bytes])))
})

for (const replicas of [1, 2]) {
  test(`a silent append is taken over (${replicas} processes)`, async () => {
    const env = { UPLOAD_TAKEOVER_AFTER: '200ms' }
    await using bench = await startBench('local', env)
    const bytes = randomBytes(100_000)
    const { id } = await begin(bench, { lengthBytes: 100_000n })
    async function* silent(): AsyncGenerator<AppendMessage> {
      yield* pieces(id, 0, bytes.subarray(0, 60_000))
      await new Promise(() => {})
    }
    const first = bench.client.appendUpload(silent(), ada)
    const refused = failsWith(first, { code: 'Aborted', error: 'upload_locked' })
    const running = () => bench.query('select 1 from resumable_upload where append_id is not null')
    await settled(async () => assert.equal((await running()).length, 1))
    await using other = await startTestService(revisions, {
      transport: 'local',
      databaseUrl: bench.service.databaseUrl,
      peers: bench.catalog.routes,
      env,
    })
    const second = replicas === 1 ? bench : { client: other.client(RevisionsService) }
    assert.equal(await offsetOf(second, id), 60_000)
    await refused
    assert.equal(await add(second, id, 60_000, bytes.subarray(60_000)), 100_000)
  })
}

test('an append that cannot be notified adds nothing any more, and leaves nothing', async () => {
  const env = { UPLOAD_TAKEOVER_AFTER: '1h', UPLOAD_TAKEOVER_TIMEOUT: '200ms' }
  await using bench = await startBench('local', env)
  const bytes = randomBytes(100_000)
  const { id } = await begin(bench, { lengthBytes: 100_000n })
  let resume = () => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  async function* stuck(): AsyncGenerator<AppendMessage> {
    yield* pieces(id, 0, bytes.subarray(0, 60_000))
    await resumed
  }
  const first = bench.client.appendUpload(stuck(), ada)
  const refused = failsWith(first, { code: 'Aborted', error: 'upload_locked' })
  const running = () => bench.query('select 1 from resumable_upload where append_id is not null')
  await settled(async () => assert.equal((await running()).length, 1))
  assert.equal(await offsetOf(bench, id), 0)
  resume()
  await refused
  assert.equal(await offsetOf(bench, id), 0)
  assert.equal(await add(bench, id, 0, bytes), 100_000)
  const { data } = await publish(bench, [named(id)])
  assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
  const blobs = await bench.query<{ key: string }>('select key from blob')
  assert.deepEqual(
    await bench.keys(),
    blobs.map(({ key }) => key),
  )
})
