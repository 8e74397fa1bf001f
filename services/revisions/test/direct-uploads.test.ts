import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createS3Store, type ObjectStore } from '@figbase/kit/objects'
import { type S3Server, s3SkipReason, startS3Server } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import { failsWith } from './failure.js'
import { add, offsetOf, pieces, uploaded } from './resumable.js'
import { ada, type Bench, download, parts, publish, startBench } from './service.js'

const missing = s3SkipReason()
if (missing) test('direct uploads to S3', { skip: missing }, () => {})
else {
  let server: S3Server
  let objects: ObjectStore
  let bench: Bench
  before(async () => {
    server = await startS3Server()
    objects = createS3Store(server.storeOptions(await server.newBucket()))
    const env = { UPLOAD_SEGMENT_BYTES_MAX: '300000' }
    bench = await startBench('local', env, () => {}, objects)
  })
  after(async () => {
    await bench[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  async function begin(lengthBytes: bigint) {
    const target = { targetId: bench.figureId, targetType: NodeType.FIGURE }
    const request = { ...target, lengthBytes, direct: true }
    const { upload, putUrl } = await bench.client.beginUpload(request, ada)
    return { id: upload?.id ?? '', url: putUrl }
  }
  async function put(url: string, body: Uint8Array) {
    const { ok, status } = await fetch(url, { method: 'PUT', body })
    assert.ok(ok, `${status}`)
  }
  const named = (uploadId: string) => ({ type: DataType.FILE, uploadId })
  const use = (id: string) => bench.client.createRevision(parts(bench.figureId, [named(id)]), ada)
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of objects.list('resumable/')) found.push(key)
    return found
  }
  const unusable = { code: 'InvalidArgument', field: 'data[0].upload' } as const

  test('uses the bytes that were put, and ignores later ones', async () => {
    const bytes = randomBytes(500_000)
    const { id, url } = await begin(500_000n)
    await failsWith(use(id), { ...unusable, reason: 'has not been uploaded yet' })
    await put(url, randomBytes(10))
    await failsWith(use(id), unusable)
    await put(url, randomBytes(500_001))
    await failsWith(use(id), unusable)
    await put(url, bytes)
    const { data } = await publish(bench, [named(id)])
    assert.deepEqual(await keys(), [])

    await put(url, randomBytes(500_000))
    assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
    await failsWith(use(id), unusable)
    // Bytes that were put late are removed when the URL has expired.
    await bench.query(`update resumable_upload set expires_on = now() where id = $1`, [id])
    await using _ = await startBench(
      'local',
      { DATABASE_URL: bench.service.databaseUrl },
      () => {},
      objects,
    )
    assert.deepEqual(await keys(), [])
    assert.deepEqual(await bench.query('select 1 from resumable_upload'), [])
  })

  test('requires a length, and accepts no other bytes', async () => {
    const target = { targetId: bench.figureId, targetType: NodeType.FIGURE, direct: true }
    await failsWith(bench.client.beginUpload(target, ada), {
      code: 'InvalidArgument',
      field: 'size_bytes',
    })
    const { id } = await begin(10n)
    await failsWith(bench.client.appendUpload(pieces(id, 0, Buffer.alloc(10)), ada), {
      code: 'NotFound',
    })
    assert.equal(await offsetOf(bench, id), 0)
    await bench.client.endUpload({ id }, ada)
    await failsWith(use(id), unusable)
  })

  test('stores resumable uploads on S3, in one and in several segments', async () => {
    for (const size of [0, 1000, 700_000]) {
      const bytes = randomBytes(size)
      const { data } = await publish(bench, [named(await uploaded(bench, bytes))])
      assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes))
    }
    const open = await uploaded(bench, randomBytes(10), { lengthBytes: 20n })
    await add(bench, open, 10, randomBytes(5))
    await bench.client.endUpload({ id: open }, ada)
    const blobs = await bench.query<{ key: string }>(
      `select key from blob where key like 'resumable/%'`,
    )
    assert.deepEqual(
      await keys(),
      blobs.map(({ key }) => key),
    )
  })
}
