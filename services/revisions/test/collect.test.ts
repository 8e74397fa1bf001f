import assert from 'node:assert/strict'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSession } from '@figbase/kit/db'
import { lockDeletions } from '@figbase/kit/objects'
import { databaseAt } from '@figbase/kit/testing'
import { DataType, type Revision } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { stagedPrefix } from '../src/domain/object-keys.js'
import { collect, protectStorages, unprotectStorages } from '../src/index.js'
import { deleteRevision } from '../src/queries/revisions.js'
import { failsWith, settled } from './failure.js'
import { findings, leftAfterCollection, maintenanceOf } from './maintenance.js'
import {
  ada,
  type Bench,
  change,
  download,
  image,
  processed,
  publish,
  startBench,
  type,
} from './service.js'

const file = (bytes: Uint8Array) => ({ bytes, type: DataType.FILE })
const one = <T>(list: T[]): T => list[randomInt(list.length)] ?? assert.fail()

test('collection concurrent with publications, updates and deletions loses no bytes', async () => {
  await using bench = await startBench('local', { DATA_RETENTION: '0s' })
  await using maintenance = await maintenanceOf(bench)
  const contents = Array.from({ length: 5 }, () => randomBytes(randomInt(1, 3000)))
  const gifs = await Promise.all(
    ['red', 'green', 'blue'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .gif()
        .toBuffer(),
    ),
  )
  const some = () => [file(one(contents)), file(one(contents)), image(one(gifs), { format: 'gif' })]
  let isRunning = true
  const kept: { revision: Revision; bytes: Uint8Array[] }[] = []

  async function write() {
    const mine: typeof kept = []
    while (isRunning) {
      let objects = some()
      let revision = await publish(bench, objects)
      if (randomInt(2)) {
        objects = some()
        revision = await change(bench, revision.id, objects)
      }
      mine.push({ revision, bytes: objects.map(({ bytes }) => bytes ?? assert.fail()) })
      if (mine.length > 3) {
        const [gone] = mine.splice(randomInt(mine.length), 1)
        const id = gone?.revision.id ?? ''
        await maintenance.write((db) => deleteRevision(db, id, { retires: true }))
      }
    }
    kept.push(...mine)
  }
  let rounds = 0
  async function clean() {
    while (isRunning) {
      await bench.query(`select enqueue_job('purge-detached', null, '{}', null, 0, null, 1)`)
      for (const { failure } of await collect(maintenance, { graceMs: 0 }))
        assert.equal(failure, undefined)
      rounds++
    }
  }
  const working = Promise.all([write(), write(), write(), write(), clean(), clean()])
  const enough = async () => {
    while (isRunning && rounds < 20) await sleep(50)
  }
  await Promise.race([enough(), working])
  isRunning = false
  await working
  assert.ok(kept.length >= 4)

  for (const { revision, bytes } of kept) {
    for (const [n, expected] of bytes.entries()) {
      const got = await download(bench, revision.data[n]?.id ?? '')
      assert.ok(Buffer.from(expected).equals(got.bytes))
    }
    await processed(bench, revision.id)
    const { png } = await bench.client.readThumbnail({ revisionId: revision.id, type }, ada)
    assert.ok(png.length > 0)
  }
  assert.deepEqual(await findings(maintenance), [])
  assert.deepEqual(await leftAfterCollection(maintenance), { failures: [], orphans: 0, dead: 0 })
  const [{ objects } = { objects: 0 }] = await bench.query<{ objects: number }>(
    `select (select count(*) from blob)::int + (select count(*) from thumbnail where key is not null)::int
       as objects`,
  )
  assert.equal((await bench.keys()).length, objects)
})

test('orphans are kept for the grace period', async () => {
  await using bench = await startBench()
  await using maintenance = await maintenanceOf(bench)
  const { id } = await publish(bench, [file(randomBytes(100))])
  await maintenance.write((db) => deleteRevision(db, id, { retires: true }))
  const left = async () => (await bench.keys()).length
  const [early] = await collect(maintenance, { graceMs: 60_000 })
  assert.deepEqual([early?.blobs.objects, await left()], [0, 1])
  await bench.query(`update blob set dead_since = dead_since - interval '61 s'`)
  const [late] = await collect(maintenance, { graceMs: 60_000 })
  assert.deepEqual([late?.blobs, await left()], [{ objects: 1, bytes: 100 }, 0])
})

test('a backup blocks deletions of objects, and nothing else', async () => {
  await using bench = await startBench()
  await using maintenance = await maintenanceOf(bench)
  const { id } = await publish(bench, [file(randomBytes(100))])
  await maintenance.write((db) => deleteRevision(db, id, { retires: true }))
  const backup = await openSession(databaseAt(bench.service.databaseUrl), 'backup')
  assert.equal(await lockDeletions(backup), true)
  const collecting = collect(maintenance, { graceMs: 0 })
  await settled(async () => {
    const waiting = await bench.query(
      `select from pg_locks where locktype = 'advisory' and not granted`,
    )
    assert.equal(waiting.length, 1)
  })
  const other = await publish(bench, [file(randomBytes(10))])
  assert.equal((await bench.keys()).length, 2)
  const stopping = new AbortController()
  const stopped = collect(maintenance, { graceMs: 0, signal: stopping.signal })
  stopping.abort(new Error('stopped'))
  await assert.rejects(stopped, /stopped/)
  await backup[Symbol.asyncDispose]()
  assert.equal((await collecting)[0]?.blobs.objects, 1)
  assert.equal((await bench.keys()).length, 1)
  assert.equal((await download(bench, other.data[0]?.id ?? '')).bytes.length, 10)
})

test('nothing is deleted in protected storages until they are released', async () => {
  await using bench = await startBench()
  await using maintenance = await maintenanceOf(bench)
  const { id } = await publish(bench, [file(randomBytes(100))])
  await maintenance.write((db) => deleteRevision(db, id, { retires: true }))
  const upload = randomUUID()
  await bench.query(`insert into upload (id, instance) values ($1, 1)`, [upload])
  await bench.service.objects.put(`${stagedPrefix(upload)}0`, once(randomBytes(10)))
  await protectStorages(maintenance.db, { own: true })
  assert.deepEqual(await bench.query('select id from upload'), [])
  const [held] = await collect(maintenance, { graceMs: 0 })
  assert.deepEqual([held?.isHeld, (await bench.keys()).length], [true, 2])
  assert.deepEqual(await unprotectStorages(maintenance.db), ['default'])
  const [collected] = await collect(maintenance, { graceMs: 0 })
  assert.deepEqual([collected?.blobs.objects, collected?.orphans.objects], [1, 1])
  assert.deepEqual(await bench.keys(), [])
})

async function* once(bytes: Uint8Array) {
  yield bytes
}

const purge = (bench: Bench) =>
  bench.query(`select enqueue_job('purge-deleted', null, '{}', null, 0, null, 1)`)

test('purges revisions that catalog deleted, with their bytes, and never reuses their short ids', async () => {
  await using bench = await startBench('local')
  await using maintenance = await maintenanceOf(bench)
  const { prefix } = await bench.client.reserveShortIdPrefix({}, ada)
  const shared = randomBytes(100)
  const gone = await publish(bench, [file(shared), file(randomBytes(10))], {
    shortId: `${prefix}0`,
  })
  const kept = await publish(bench, [file(shared)])
  const later = await publish(bench, [file(randomBytes(20))])
  bench.catalog.deleted.push([gone.id, bench.figureId], [])
  await purge(bench)
  const rows = () => bench.query<{ id: string }>('select id from revision order by seq')
  await settled(async () => assert.deepEqual(await rows(), [{ id: kept.id }, { id: later.id }]))
  assert.equal((await leftAfterCollection(maintenance)).dead, 0)
  assert.equal((await bench.keys()).length, 2)
  assert.deepEqual((await download(bench, kept.data[0]?.id ?? '')).bytes, shared)
  const again = publish(bench, [], { shortId: `${prefix}0` })
  await failsWith(again, { code: 'AlreadyExists', error: 'duplicate_short_id' })
  await publish(bench, [], { shortId: `${prefix}1` })

  // Continues after the last page.
  bench.catalog.deleted.push([later.id])
  await purge(bench)
  await settled(async () => assert.equal((await rows()).length, 2))
  assert.deepEqual(await findings(maintenance), [])
})
