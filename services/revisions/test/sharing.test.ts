import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, precondition, unavailable } from '@figbase/kit/errors'
import { DataType } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { failsWith } from './failure.js'
import {
  ada,
  type Bench,
  image,
  leftovers,
  nothing,
  parts,
  processed,
  publish,
  startBench,
  type,
  until,
} from './service.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const text = (bytes: Uint8Array) => ({ bytes, type: DataType.TEXT })
const blobs = () =>
  bench.query<{ refs: number; key: string; digest: string }>('select * from blob order by refs')

test('removes a revision whose figure was deleted meanwhile', async () => {
  const png = await sharp({
    create: { width: 9, height: 9, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer()
  bench.catalog.failing.set('Activate', precondition('gone', 'the figure is being deleted'))
  const first = bench.client.createRevision(parts(bench.figureId, [image(png)]), ada)
  await failsWith(first, { code: 'FailedPrecondition', error: 'gone' })
  bench.catalog.failing.set('Activate', failure(Code.NotFound, 'not_found', 'no such thing'))
  const second = bench.client.createRevision(parts(bench.figureId, [image(png)]), ada)
  await failsWith(second, { code: 'InvalidArgument', field: 'figure' })
  bench.catalog.failing.clear()

  await until(async () => (await jobs()) === 0)
  bench.catalog.nodes.forEach((node, id) => {
    if (node.state === 'pending') bench.catalog.nodes.delete(id)
  })
  await bench.collect()
  // The counter keeps its value.
  assert.deepEqual(await leftovers(bench), { ...nothing, rows: { revision_counter: 1 } })
})

test('stores equal bytes once with a reference count', async () => {
  const bytes = randomBytes(100_000)
  const revision = await publish(bench, [text(bytes), text(bytes)])
  assert.equal(revision.sizeBytes, 200_000n)
  assert.deepEqual(
    (await blobs()).map((blob) => blob.refs),
    [2],
  )
  await publish(bench, [text(bytes), text(randomBytes(10))])
  const [small, large] = await blobs()
  assert.deepEqual([small?.refs, large?.refs], [1, 3])
  assert.deepEqual(await bench.keys(), [small?.key, large?.key].sort())
  assert.equal((await bench.query('select * from upload')).length, 0)
})

test('concurrent revisions have indexes without gaps and share their bytes', async () => {
  const figureId = bench.catalog.figure('ada')
  const [a, b] = [randomBytes(50_000), randomBytes(50_000)]
  const revisions = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      publish({ ...bench, figureId }, n % 2 ? [text(a), text(b)] : [text(b), text(a)]),
    ),
  )
  const indexes = revisions.map((revision) => revision.revisionIndex).sort()
  assert.deepEqual(indexes, [0, 1, 2, 3, 4, 5, 6, 7])
  const digests = revisions[0]?.data.map((one) => one.hash) ?? []
  const shared = (await blobs()).filter((blob) => digests.includes(blob.digest))
  assert.deepEqual(
    shared.map((blob) => blob.refs),
    [8, 8],
  )

  const listed = await bench.client.listRevisions({ parentId: figureId, type }, ada)
  assert.deepEqual(
    listed.revisions.map((one) => one.revisionIndex),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  assert.ok(listed.revisions.every((one) => one.data.length === 0 && one.metadataJson === ''))
  assert.ok(
    listed.revisions.every((one) => one.sizeBytes === 100_000n && one.parentId === figureId),
  )
  const visible = await bench.client.listVisibleRevisions({ type }, ada)
  assert.equal(visible.revisions.length, 10)
})

test('the job activates a revision when the activation was lost', async () => {
  bench.catalog.failing.set('Activate', unavailable('catalog is away'))
  const created = await publish(bench, [text(randomBytes(1234))], { silent: true })
  assert.equal(created.sizeBytes, 1234n)
  const hidden = bench.client.getRevision({ id: created.id, type }, ada)
  await failsWith(hidden, { code: 'NotFound' })
  bench.catalog.failing.clear()

  await until(async () => bench.catalog.nodes.get(created.id)?.state === 'active')
  const shown = await processed(bench, created.id)
  assert.deepEqual(shown, created)
  assert.equal(bench.catalog.nodes.get(created.id)?.silent, true)
})

test('a thumbnail is removed with its revision, shared bytes stay', async () => {
  const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: 'blue' } })
  const png = await picture.clone().png().toBuffer()
  const kept = await publish(bench, [image(png)])
  await processed(bench, kept.id)
  const keys = await bench.keys()

  bench.catalog.failing.set('Activate', unavailable('catalog is away'))
  const lost = [
    await publish(bench, [image(png)]),
    await publish(bench, [image(await picture.clone().gif().toBuffer())]),
  ].map((revision) => revision.id)
  const shown = () => bench.query('select from thumbnail where revision_id = any($1)', [lost])
  await until(async () => (await shown()).length === 2)
  bench.catalog.failing.set('Activate', precondition('gone', 'the figure is being deleted'))
  await until(async () => (await jobs()) === 0)
  bench.catalog.failing.clear()

  assert.equal((await shown()).length, 0)
  await bench.collect()
  assert.deepEqual(await bench.keys(), keys)
  const thumbnail = await bench.client.readThumbnail({ revisionId: kept.id, type }, ada)
  assert.ok(png.equals(thumbnail.png))
})

test('leaves nothing when the reservation is refused or the commit fails', async () => {
  const before = await leftovers(bench)
  bench.catalog.failing.set('Reserve', failure(Code.NotFound, 'not_found', 'gone by now'))
  const call = bench.client.createRevision(parts(bench.figureId, [text(randomBytes(9))]), ada)
  await failsWith(call, { code: 'InvalidArgument', field: 'figure' })
  bench.catalog.failing.clear()
  assert.deepEqual(await leftovers(bench), before)

  await bench.query('alter table external_data add constraint no_more check (false) not valid')
  const second = bench.client.createRevision(parts(bench.figureId, [text(randomBytes(9))]), ada)
  await failsWith(second, { code: 'Internal' })
  await bench.query('alter table external_data drop constraint no_more')
  assert.deepEqual(await leftovers(bench), before)
})

async function jobs() {
  const [row] = await bench.query<{ n: number }>('select count(*)::int as n from revisions.job')
  return row?.n
}
