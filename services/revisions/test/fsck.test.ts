import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DataType, type Revision } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { stagedPrefix } from '../src/domain/object-keys.js'
import { fsck, type Maintenance } from '../src/index.js'
import { fast, findings, leftAfterCollection, maintenanceOf } from './maintenance.js'
import { type Bench, change, image, processed, publish, startBench } from './service.js'

let bench: Bench
let maintenance: Maintenance & AsyncDisposable
before(async () => {
  bench = await startBench()
  maintenance = await maintenanceOf(bench)
})
after(async () => {
  await maintenance[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

const file = (bytes: Uint8Array) => ({ bytes, name: 'table', type: DataType.FILE })

async function blobOf({ data }: Revision) {
  const [row] = await bench.query<{ id: string; key: string; refs: number }>(
    'select id, key, refs from blob where digest = $1 and refs > 0',
    [data[0]?.hash],
  )
  assert.ok(row)
  return { ...row, path: join(bench.service.objectsDir, row.key) }
}

test('finds nothing in a consistent installation, also while an upload is staged', async () => {
  const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()
  const { id } = await publish(bench, [image(gif, { format: 'gif' }), file(randomBytes(1000))])
  await processed(bench, id)
  await publish(bench, [file(Buffer.alloc(0))])
  await change(bench, id, [file(randomBytes(70_000))])
  await processed(bench, id)
  const upload = randomUUID()
  await bench.query(`insert into upload (id, instance) values ($1, 1)`, [upload])
  await bench.service.objects.put(`${stagedPrefix(upload)}0`, bytes())
  assert.deepEqual(await findings(maintenance), [])
  const [checked] = (await fsck(maintenance, { verify: fast })).storages
  assert.equal(checked?.verified, checked?.blobs)
  assert.ok(checked && checked.blobs === 4 && checked.bytes > 71_000)
  // The thumbnail of the replaced image. Staged objects are not orphans.
  assert.equal(checked.orphans, 1)
  await bench.query('delete from upload where id = $1', [upload])
  assert.equal((await fsck(maintenance)).storages[0]?.orphans, 2)
  assert.deepEqual(await leftAfterCollection(maintenance), { failures: [], orphans: 0, dead: 0 })
})

async function* bytes() {
  yield randomBytes(100)
}

/** Causes damage, checks the finding, and repairs it. */
async function detects(
  harm: (blob: Awaited<ReturnType<typeof blobOf>>, revision: Revision) => Promise<void>,
  kind: string,
  expected: RegExp,
) {
  const revision = await publish(bench, [file(randomBytes(5000))])
  const blob = await blobOf(revision)
  const content = await readFile(blob.path)
  await harm(blob, revision)
  const found = await findings(maintenance)
  await writeFile(blob.path, content)
  await bench.query('update blob set refs = $2 where id = $1', [blob.id, blob.refs])
  assert.deepEqual(
    found.map((one) => one.kind),
    [kind],
  )
  assert.match(found[0]?.text ?? '', expected)
  if (kind !== 'references') {
    assert.ok(found[0]?.text.includes(`'table') of revision ${revision.id}`), found[0]?.text)
  }
  assert.deepEqual(await findings(maintenance), [])
}

test('finds a flipped byte when verifying', () =>
  detects(
    async ({ path }) => {
      const content = await readFile(path)
      content[2500] = (content[2500] ?? 0) ^ 1
      await writeFile(path, content)
      assert.deepEqual((await fsck(maintenance)).findings, [])
    },
    'damaged',
    /^object uploads\/\S+ is corrupt: its digest does not match \(data /,
  ))

test('finds a truncated file', () =>
  detects(({ path }) => truncate(path, 4999), 'size', /has 4999 bytes instead of 5000 \(data /))

test('finds a missing object', () =>
  detects(({ path }) => rm(path), 'missing', /^object \S+ \(5000 bytes\) is missing \(data /))

test('finds a wrong reference count', () =>
  detects(
    async ({ id }) => void (await bench.query('update blob set refs = 7 where id = $1', [id])),
    'references',
    /has a reference count of 7 instead of 1$/,
  ))

test('reports unknown objects, except exports of stories, and keeps them', async () => {
  const foreign = ['notes.txt', 'uploads/a', `uploads/00/${randomUUID()}-x`]
  const ofStories = `exports/${randomUUID()}`
  for (const key of [...foreign, ofStories]) await bench.service.objects.put(key, bytes())
  const found = await findings(maintenance)
  assert.deepEqual(
    found.map(({ text }) => text).sort(),
    foreign.map((key) => `unknown object ${key}: Figbase did not create it`).sort(),
  )
  await leftAfterCollection(maintenance)
  assert.equal((await findings(maintenance)).length, foreign.length)
  await bench.service.objects.delete([...foreign, ofStories])
})

test('finds a missing thumbnail, and one of missing data', async () => {
  const gif = await sharp({ create: { width: 7, height: 7, channels: 3, background: 'blue' } })
    .gif()
    .toBuffer()
  const { id } = await publish(bench, [image(gif, { format: 'gif' })])
  await processed(bench, id)
  const [{ key } = { key: '' }] = await bench.query<{ key: string }>(
    'select key from thumbnail where revision_id = $1',
    [id],
  )
  await bench.service.objects.delete([key])
  const [missing] = await findings(maintenance)
  assert.equal(missing?.text, `thumbnail ${key} of revision ${id} is missing`)
  await bench.service.objects.put(key, bytes())
  await bench.query('update thumbnail set data_id = $2 where revision_id = $1', [id, randomUUID()])
  const [lost] = await findings(maintenance)
  assert.match(lost?.text ?? '', new RegExp(`thumbnail of revision ${id} refers to data`))
  await bench.query('delete from thumbnail where revision_id = $1', [id])
})

test('reports an unavailable storage and checks the others', async () => {
  const [row] = await bench.query<{ id: string }>(`
    insert into storage (id, holder_id, vendor, endpoint, region, bucket, prefix, access_key, secret_sealed)
    values (gen_random_uuid(), gen_random_uuid(), 's3', 'http://127.0.0.1:1', '', 'b', '', 'a', '')
    returning id`)
  const revision = await publish(bench, [file(randomBytes(5000))])
  const blob = await blobOf(revision)
  const content = await readFile(blob.path)
  await rm(blob.path)
  const found = await findings(maintenance)
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['missing', 'unreachable'],
  )
  assert.match(found[1]?.text ?? '', new RegExp(`checking storage ${row?.id} failed`))
  const { failures, orphans } = await leftAfterCollection(maintenance)
  assert.deepEqual([failures.length, orphans], [1, 0])
  await writeFile(blob.path, content)
  await bench.query('delete from storage')
})

test('limits the read rate', async () => {
  await publish(bench, [file(randomBytes(300_000))])
  const began = performance.now()
  await fsck(maintenance, { verify: { bytesPerSecond: 1_000_000 } })
  assert.ok(performance.now() - began > 290)
})
