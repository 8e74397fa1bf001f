import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { startServing } from '@figbase/kit/service'
import { type S3Server, s3SkipReason, startFaultyProxy, startS3Server } from '@figbase/kit/testing'
import { DataType } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { stagedPrefix } from '../src/domain/object-keys.js'
import { revisions } from '../src/index.js'
import { awsSettings, choose, clientOf, objectsIn, register, startWith } from './custom-storage.js'
import { failsWith, settled } from './failure.js'
import { findings, leftAfterCollection, maintenanceOf } from './maintenance.js'
import { uploaded } from './resumable.js'
import {
  ada,
  append,
  type Bench,
  bob,
  change,
  download,
  image,
  leftovers,
  parts,
  processed,
  publish,
  type,
  unfinished,
  until,
} from './service.js'

const skip = s3SkipReason()
const text = (bytes: Uint8Array) => ({ bytes, type: DataType.TEXT })

describe('storage of users', { skip }, () => {
  let s3: S3Server
  let shared: Bench
  before(async () => {
    s3 = await startS3Server()
    shared = await startWith(s3)
  })
  after(async () => {
    await shared[Symbol.asyncDispose]()
    await s3[Symbol.asyncDispose]()
  })

  const inNewFigure = (): Bench => ({ ...shared, figureId: shared.catalog.figure('ada') })

  test('new data goes to the chosen storage, old data stays', async () => {
    const bench = inNewFigure()
    const [old, fresh, last] = [randomBytes(1000), randomBytes(700_000), randomBytes(2000)]
    const before = await publish(bench, [text(old)])
    const kept = await bench.keys()
    const { bucket, storageId } = await choose(bench, s3)
    const revision = await publish(bench, [text(fresh), text(Buffer.alloc(0)), text(fresh)])
    assert.deepEqual(await bench.keys(), kept, 'nothing in the default storage')
    const keys = await objectsIn(s3, bucket)
    assert.equal(keys.length, 2, 'the same bytes once')
    for (const key of keys) assert.match(key, new RegExp(`^lab/figures/${storageId}/uploads/`))
    const [id = '', empty = '', same = ''] = revision.data.map((one) => one.id)
    assert.ok((await download(bench, id)).bytes.equals(fresh))
    assert.ok((await download(bench, same)).bytes.equals(fresh))
    assert.equal((await download(bench, empty)).bytes.length, 0)
    const range = await download(bench, id, { offset: 600_000n, length: 5n })
    assert.deepEqual(range.bytes, fresh.subarray(600_000, 600_005))
    assert.ok((await download(bench, before.data[0]?.id ?? '')).bytes.equals(old))

    bench.catalog.storages.delete(bench.figureId)
    const back = await publish(bench, [text(last)])
    assert.equal((await bench.keys()).length, kept.length + 1)
    assert.deepEqual(await objectsIn(s3, bucket), keys)
    for (const [dataId, bytes] of [
      [id, fresh],
      [back.data[0]?.id ?? '', last],
    ] as const) {
      assert.ok((await download(bench, dataId)).bytes.equals(bytes))
    }
  })

  test('resumable uploads are staged in the default storage and committed to the chosen one', async () => {
    const bench = inNewFigure()
    const { bucket } = await choose(bench, s3)
    const kept = await bench.keys()
    for (const bytes of [randomBytes(1000), randomBytes(700_000)]) {
      const uploadId = await uploaded(bench, bytes)
      assert.equal((await bench.keys()).length, kept.length + 1)
      const { data } = await publish(bench, [{ type: DataType.FILE, uploadId }])
      assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
      assert.deepEqual(await bench.keys(), kept)
    }
    assert.equal((await objectsIn(s3, bucket)).length, 2)
  })

  test('managers can read the vendor and the path of data', async () => {
    const bench = inNewFigure()
    const { bucket, storageId } = await choose(bench, s3)
    const { data } = await publish(bench, [text(Buffer.from('a'))])
    const { id = '', hash } = data[0] ?? {}
    const { vendor, path, hash: told } = await bench.client.getDataStorage({ id }, ada)
    const [key] = await objectsIn(s3, bucket)
    assert.deepEqual([vendor, told, path], ['S3', hash, `s3://${bucket}/${key}`])
    const staff = await bench.client.getDataStorage({ id }, actAs(user('ada', true)))
    assert.equal(staff.path, path)
    await failsWith(bench.client.getDataStorage({ id }, bob), { code: 'PermissionDenied' })

    const registered = await register(bench, 'aws', { bucket, key: 'k' })
    bench.catalog.storages.set(bench.figureId, registered.storageId)
    const revision = await publish(bench, [text(Buffer.from('b'))])
    const asked = { id: revision.data[0]?.id ?? '' }
    const answer = await bench.client.getDataStorage(asked, ada)
    assert.equal(answer.vendor, 'AWS')
    assert.match(
      answer.path ?? '',
      new RegExp(`^s3://${bucket}/k/${registered.storageId}/uploads/`),
    )
    assert.notEqual(registered.storageId, storageId)
  })

  test('data that comes before its figure is moved to the right storage', async () => {
    const bench = inNewFigure()
    const kept = await bench.keys()
    const { bucket } = await choose(bench, s3)
    const [small, large] = [randomBytes(300), randomBytes(900_000)]
    async function* late() {
      yield* unfinished(undefined, [text(small), text(large)])
      yield* parts(bench.figureId, [text(randomBytes(10))])
    }
    const { revision } = await bench.client.createRevision(late(), ada)
    assert.equal((await objectsIn(s3, bucket)).length, 3)
    assert.deepEqual(await bench.keys(), kept)
    for (const [at, bytes] of [small, large].entries()) {
      assert.ok((await download(bench, revision?.data[at]?.id ?? '')).bytes.equals(bytes))
    }
    assert.deepEqual(await bench.query('select id from upload'), [])
  })

  test('a refused request leaves nothing in the storage', async () => {
    const bench = inNewFigure()
    const before = await leftovers(bench)
    const { bucket } = await choose(bench, s3)
    const call = bench.client.createRevision(
      parts(bench.figureId, [text(randomBytes(900_000))], { metadataJson: '[' }),
      ada,
    )
    await failsWith(call, { code: 'InvalidArgument', field: 'metadata' })
    assert.deepEqual(await objectsIn(s3, bucket), [])
    assert.deepEqual(await leftovers(bench), before)
  })

  test('each storage stores equal bytes once', async () => {
    const bench = inNewFigure()
    const bytes = randomBytes(5000)
    const kept = await bench.keys()
    const { data } = await publish(bench, [text(bytes)])
    const { bucket } = await choose(bench, s3)
    await publish(bench, [text(bytes)])
    await publish(bench, [text(bytes)])
    const blobs = await bench.query<{ refs: number }>(
      'select refs from blob where digest = $1 order by refs',
      [data[0]?.hash],
    )
    assert.deepEqual(
      blobs.map(({ refs }) => refs),
      [1, 2],
    )
    assert.equal((await objectsIn(s3, bucket)).length, 1)
    assert.equal((await bench.keys()).length, kept.length + 1)
  })

  test('an update stores new data there and keeps the rest', async () => {
    const bench = inNewFigure()
    const first = await publish(bench, [text(Buffer.from('first'))])
    const { bucket } = await choose(bench, s3)
    const keepId = first.data[0]?.id ?? ''
    await append(bench, first.id, [text(Buffer.from('second'))])
    const changed = await change(bench, first.id, [
      { type: DataType.TEXT, keepId },
      text(Buffer.from('third')),
    ])
    const vendors = []
    for (const { id } of changed.data) {
      vendors.push((await bench.client.getDataStorage({ id }, ada)).vendor)
    }
    assert.deepEqual(vendors, ['GoFigr.io', 'S3'])
    assert.equal((await objectsIn(s3, bucket)).length, 2)
    assert.equal((await download(bench, keepId)).bytes.toString(), 'first')
  })

  test('a derived revision shares the bytes in any storage', async () => {
    const bench = inNewFigure()
    const kept = await bench.keys()
    const { bucket } = await choose(bench, s3)
    const bytes = randomBytes(900)
    const { id: sourceId } = await publish(bench, [text(bytes)])
    const figureId = bench.catalog.figure('ada')
    const { revision } = await bench.client.deriveRevision({ sourceId, figureId }, ada)
    const { id = '' } = revision?.data[0] ?? {}
    assert.ok((await download(bench, id)).bytes.equals(bytes))
    assert.equal((await bench.client.getDataStorage({ id }, ada)).vendor, 'S3')
    assert.equal((await objectsIn(s3, bucket)).length, 1)
    assert.deepEqual(await bench.keys(), kept)
  })

  test('thumbnails of pictures there are in the default storage', async () => {
    const bench = inNewFigure()
    const kept = await bench.keys()
    await choose(bench, s3)
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>'
    const { id } = await publish(bench, [image(Buffer.from(svg), { format: 'svg' })])
    const { hasThumbnail } = await processed(bench, id)
    assert.equal(hasThumbnail, true)
    const own = (await bench.keys()).filter((key) => !kept.includes(key))
    assert.ok(own.length > 0)
    for (const key of own) assert.match(key, new RegExp(`^thumbnails/${id}/`))
  })

  test('changed keys are used within a second, whichever process changed them', async () => {
    const bench = inNewFigure()
    const { params, storageId } = await choose(bench, s3)
    const bytes = randomBytes(100)
    const { data } = await publish(bench, [text(bytes)])
    const id = data[0]?.id ?? ''
    // Another process stored keys that do not work any more.
    await bench.query(
      `update storage set access_key = 'test:nobody', version = version + 1 where id = $1`,
      [storageId],
    )
    const unavailable = { code: 'Unavailable', error: 'storage_unavailable' } as const
    await settled(() => failsWith(download(bench, id), unavailable))
    const { storageId: same } = await register(bench, 's3', params)
    assert.equal(same, storageId)
    await settled(async () => assert.ok((await download(bench, id)).bytes.equals(bytes)))
  })

  for (const state of ['gone', 'silent'] as const) {
    test(`a ${state} storage is reported, and does not affect others`, async () => {
      await using proxy = await startFaultyProxy(s3.endpoint)
      await using bench = await startWith(s3, {
        OUTBOUND_HOSTS_ALLOWED: new URL(proxy.url).host,
        STORAGE_IDLE_TIMEOUT: '500ms',
      })
      const { bucket } = await choose(bench, s3, proxy.url)
      const bytes = randomBytes(100)
      const { data } = await publish(bench, [text(bytes)])
      const id = data[0]?.id ?? ''
      const stored = await objectsIn(s3, bucket)
      if (state === 'gone') await proxy.stop()
      else proxy.set('silent')
      const unavailable = { code: 'Unavailable', error: 'storage_unavailable' } as const
      const started = performance.now()
      await failsWith(download(bench, id), unavailable)
      const clientId = newId()
      const large = randomBytes(900_000)
      for (const objects of [[text(large)], [text(Buffer.from('small'))]]) {
        await failsWith(publish(bench, objects, { clientId }), unavailable)
      }
      await failsWith(append(bench, data[0]?.revisionId ?? '', [text(large)]), unavailable)
      assert.ok(performance.now() - started < 15_000, 'in time')
      const { rows, pending } = await leftovers(bench)
      assert.deepEqual([rows.revision, rows.blob, pending], [1, 1, 0], 'nothing partially written')
      assert.equal(bench.catalog.reservations.size, 0)
      const elsewhere = { ...bench, figureId: bench.catalog.figure('ada') }
      const own = await publish(elsewhere, [text(bytes)])
      assert.ok((await download(bench, own.data[0]?.id ?? '')).bytes.equals(bytes))

      if (state === 'gone') await proxy.start()
      else proxy.set('none')
      await until(async () =>
        (await download(bench, id).catch(() => undefined))?.bytes.equals(bytes),
      )
      // The id can be used again, because nothing was stored with it.
      const again = await publish(bench, [text(large)], { clientId })
      assert.equal(again.id, clientId)
      assert.deepEqual(
        (await objectsIn(s3, bucket)).filter((key) => stored.includes(key)),
        stored,
      )
    })
  }

  test('orphans there are collected, and other objects of the bucket are kept', async () => {
    await using bench = await startWith(s3, { DATA_RETENTION: '0s' })
    await using maintenance = await maintenanceOf(bench, awsSettings(s3))
    const { bucket, storageId } = await choose(bench, s3)
    const { id } = await publish(bench, [text(Buffer.from('old')), text(Buffer.from('kept'))])
    const { data } = await bench.client
      .getRevision({ id, type }, ada)
      .then(({ revision }) => revision ?? assert.fail())
    const keepId = data[1]?.id ?? ''
    await change(bench, id, [{ type: DataType.TEXT, keepId }])
    const folder = `lab/figures/${storageId}`
    const [ours, theirs] = [`${folder}/${stagedPrefix(newId())}0`, stagedPrefix(newId())]
    for (const key of [ours, `${theirs}0`, `lab/figures/${newId()}/${theirs}1`, 'a thesis.pdf']) {
      await clientOf(s3).putObject(bucket, key, key)
    }
    const others = (await objectsIn(s3, bucket)).filter((key) => !key.startsWith(folder))
    assert.equal(others.length, 3)
    await bench.query(`select enqueue_job('purge-detached', null, '{}', null, 0, null, 1)`)
    await until(async () => (await bench.query('select id from blob where refs = 0')).length === 1)
    assert.deepEqual(await leftAfterCollection(maintenance), { failures: [], orphans: 0, dead: 0 })
    const { path } = await bench.client.getDataStorage({ id: keepId }, ada)
    const kept = path?.replace(`s3://${bucket}/`, '')
    assert.deepEqual(await objectsIn(s3, bucket), [...others, kept].sort())
    assert.deepEqual(await findings(maintenance), [])
    assert.equal((await download(bench, keepId)).bytes.toString(), 'kept')

    await clientOf(s3).putObject(bucket, kept ?? '', 'kepT')
    assert.deepEqual(
      (await findings(maintenance)).map(({ kind }) => kind),
      ['damaged'],
    )
  })

  test('a start does not wait for a storage; staged objects are removed when it answers', async () => {
    await using proxy = await startFaultyProxy(s3.endpoint)
    const { host } = new URL(proxy.url)
    await using bench = await startWith(s3, { OUTBOUND_HOSTS_ALLOWED: host })
    const { bucket, storageId } = await choose(bench, s3, proxy.url)
    const upload = newId()
    await bench.query('insert into upload (id, instance, storage) values ($1, 1, $2)', [
      upload,
      storageId,
    ])
    const key = `lab/figures/${storageId}/${stagedPrefix(upload)}0`
    await clientOf(s3).putObject(bucket, key, 'staged')
    proxy.set('silent')
    const before = proxy.connections()
    const started = performance.now()
    await using _ = await startServing(revisions, {
      DATABASE_URL: bench.service.databaseUrl,
      OBJECTS_DIR: bench.service.objectsDir,
      FIGBASE_SECRET_KEY: 'a secret of the tests',
      LOG_LEVEL: 'fatal',
      OUTBOUND_HOSTS_ALLOWED: host,
      STORAGE_IDLE_TIMEOUT: '60s',
    })
    assert.ok(performance.now() - started < 30_000)
    await until(async () => proxy.connections() > before)
    assert.deepEqual(await objectsIn(s3, bucket), [key])
    // Also ends pending requests.
    await proxy.stop()
    proxy.set('none')
    await proxy.start()
    await until(async () => (await bench.query('select id from upload')).length === 0)
    assert.deepEqual(await objectsIn(s3, bucket), [])
  })

  test('an unreadable picture does not fail the others', async () => {
    const bench = inNewFigure()
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const elsewhere = await publish(bench, [image(png)])
    const { bucket } = await choose(bench, s3)
    const there = await publish(bench, [image(png)])
    for (const { id } of [elsewhere, there]) await processed(bench, id)
    await clientOf(s3).removeObjects(bucket, await objectsIn(s3, bucket))
    await clientOf(s3).removeBucket(bucket)
    const groups = [there, elsewhere].map(({ id }) => ({ revisionIds: [id] }))
    const { pngs } = await bench.client.readThumbnails({ groups, sizePx: 0 }, actAsSystem())
    assert.deepEqual(
      pngs.map(({ length }) => length > 0),
      [false, true],
    )
    const asked = { revisionId: there.id, type, sizePx: 0 }
    const unavailable = { code: 'Unavailable', error: 'storage_unavailable' } as const
    await failsWith(bench.client.readThumbnail(asked, ada), unavailable)
  })

  test('missing objects and a missing bucket are reported', async () => {
    const bench = inNewFigure()
    const { bucket } = await choose(bench, s3)
    const { data } = await publish(bench, [text(Buffer.from('a'))])
    const unavailable = { code: 'Unavailable', error: 'storage_unavailable' } as const
    await clientOf(s3).removeObjects(bucket, await objectsIn(s3, bucket))
    await failsWith(download(bench, data[0]?.id ?? ''), unavailable)
    await clientOf(s3).removeBucket(bucket)
    await failsWith(download(bench, data[0]?.id ?? ''), unavailable)
    await failsWith(publish(bench, [text(Buffer.from('b'))]), unavailable)
  })
})
