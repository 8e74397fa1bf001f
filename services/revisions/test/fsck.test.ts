import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DataType, type Revision } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { stagedPrefix } from '../src/domain/object-keys.js'
import { fsck, type Keeping } from '../src/index.js'
import { fast, findings, keepingOf, leftAfterCollection } from './keeping.js'
import { type Bench, change, image, processed, publish, startBench } from './service.js'

let bench: Bench
let keeping: Keeping & AsyncDisposable
before(async () => {
  bench = await startBench()
  keeping = await keepingOf(bench)
})
after(async () => {
  await keeping[Symbol.asyncDispose]()
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

test('where all is as it should be, nothing is found, also while an upload is staged', async () => {
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
  assert.deepEqual(await findings(keeping), [])
  const [checked] = (await fsck(keeping, { verify: fast })).storages
  assert.equal(checked?.verified, checked?.blobs)
  assert.ok(checked && checked.blobs === 4 && checked.bytes > 71_000)
  // The thumbnail of the image that was replaced; what is staged is nobody's business.
  assert.equal(checked.orphans, 1)
  await bench.query('delete from upload where id = $1', [upload])
  assert.equal((await fsck(keeping)).storages[0]?.orphans, 2)
  assert.deepEqual(await leftAfterCollection(keeping), { failures: [], orphans: 0, dead: 0 })
})

async function* bytes() {
  yield randomBytes(100)
}

/** Does harm, expects what is found, and mends it. */
async function finds(
  harm: (blob: Awaited<ReturnType<typeof blobOf>>, revision: Revision) => Promise<void>,
  kind: string,
  expected: RegExp,
) {
  const revision = await publish(bench, [file(randomBytes(5000))])
  const blob = await blobOf(revision)
  const content = await readFile(blob.path)
  await harm(blob, revision)
  const found = await findings(keeping)
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
  assert.deepEqual(await findings(keeping), [])
}

test('a flipped byte is found when the bytes are read', () =>
  finds(
    async ({ path }) => {
      const content = await readFile(path)
      content[2500] = (content[2500] ?? 0) ^ 1
      await writeFile(path, content)
      assert.deepEqual((await fsck(keeping)).findings, [])
    },
    'damaged',
    /^the bytes of the object uploads\/\S+ have changed: it is data /,
  ))

test('a file that was cut is found', () =>
  finds(({ path }) => truncate(path, 4999), 'size', /has 4999 bytes in place of 5000: it is data /))

test('an object that is not there is found', () =>
  finds(
    ({ path }) => rm(path),
    'missing',
    /^the object \S+ \(5000 bytes\) is not there: it is data /,
  ))

test('a wrong number of references is found', () =>
  finds(
    async ({ id }) => void (await bench.query('update blob set refs = 7 where id = $1', [id])),
    'references',
    /counts 7 references, and there are 1$/,
  ))

test('objects that are not ours are found, and left alone', async () => {
  const foreign = ['notes.txt', 'uploads/a', `uploads/00/${randomUUID()}-x`]
  for (const key of foreign) await bench.service.objects.put(key, bytes())
  const found = await findings(keeping)
  assert.deepEqual(
    found.map(({ text }) => text).sort(),
    foreign.map((key) => `the object ${key} is not Figbase's`).sort(),
  )
  await leftAfterCollection(keeping)
  assert.equal((await findings(keeping)).length, foreign.length)
  await bench.service.objects.delete(foreign)
})

test('a thumbnail that is not there, or shows what is not there, is found', async () => {
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
  const [missing] = await findings(keeping)
  assert.equal(missing?.text, `the thumbnail ${key} of revision ${id} is not there`)
  await bench.service.objects.put(key, bytes())
  await bench.query('update thumbnail set data_id = $2 where revision_id = $1', [id, randomUUID()])
  const [lost] = await findings(keeping)
  assert.match(lost?.text ?? '', new RegExp(`thumbnail of revision ${id} shows data`))
  await bench.query('delete from thumbnail where revision_id = $1', [id])
})

test('a storage that cannot be read is said, and does not keep the others from being checked', async () => {
  const [row] = await bench.query<{ id: string }>(`
    insert into storage (id, holder_id, vendor, endpoint, region, bucket, prefix, access_key, secret_sealed)
    values (gen_random_uuid(), gen_random_uuid(), 's3', 'http://127.0.0.1:1', '', 'b', '', 'a', '')
    returning id`)
  const revision = await publish(bench, [file(randomBytes(5000))])
  const blob = await blobOf(revision)
  const content = await readFile(blob.path)
  await rm(blob.path)
  const found = await findings(keeping)
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['missing', 'unreachable'],
  )
  assert.match(found[1]?.text ?? '', new RegExp(`the storage ${row?.id} could not be checked`))
  const { failures, orphans } = await leftAfterCollection(keeping)
  assert.deepEqual([failures.length, orphans], [1, 0])
  await writeFile(blob.path, content)
  await bench.query('delete from storage')
})

test('bytes are read no faster than asked for', async () => {
  await publish(bench, [file(randomBytes(300_000))])
  const began = performance.now()
  await fsck(keeping, { verify: { bytesPerSecond: 1_000_000 } })
  assert.ok(performance.now() - began > 290)
})
