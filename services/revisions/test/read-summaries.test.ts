import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import {
  createFileSystemStore,
  ObjectNotFound,
  type ObjectStore,
  StorageUnavailable,
} from '@figbase/kit/objects'
import { actAsSystem } from '@figbase/kit/rpc'
import { DataType } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { toMessage } from './catalog.js'
import { failsWith } from './failure.js'
import { ada, type Bench, image, processed, publish, startBench, type } from './service.js'

let objectsDir: string
let bench: Bench
/** Makes reads of objects fail. */
let failing: ((key: string) => Error) | undefined

before(async () => {
  objectsDir = await mkdtemp(join(tmpdir(), 'figbase-summaries-'))
  const kept = createFileSystemStore(objectsDir)
  const objects: ObjectStore = {
    ...kept,
    async *get(key, range) {
      if (failing) throw failing(key)
      yield* kept.get(key, range)
    },
  }
  // Disables the cache.
  bench = await startBench('local', { THUMBNAIL_CACHE_BYTES: '1' }, undefined, objects)
})
beforeEach(() => {
  failing = undefined
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(objectsDir, { recursive: true, force: true })
})

const text = { bytes: Buffer.from('1 + 1'), type: DataType.CODE }

async function publishText(figureId: string) {
  const { id } = await publish({ ...bench, figureId }, [text])
  await processed(bench, id)
  return id
}

async function publishPicture(figureId: string, width: number) {
  const create = { width, height: 10, channels: 3, background: 'teal' } as const
  const bytes = await sharp({ create }).png().toBuffer()
  const { id } = await publish({ ...bench, figureId }, [image(bytes)])
  await processed(bench, id)
  return id
}

/** A node as catalog returns it to the gateway. */
function nodeOf(id: string) {
  const node = bench.catalog.nodes.get(id)
  return node ? toMessage(node) : { id, type }
}

async function read(ids: string[], sizePx = 0) {
  const nodes = ids.map(nodeOf)
  const { revisions, png } = await bench.client.readSummaries({ nodes, sizePx }, actAsSystem())
  const { width = 0 } = png.length > 0 ? await sharp(png).metadata() : {}
  return { revisions, width }
}

const idsOf = (revisions: { id: string }[]) => revisions.map(({ id }) => id)

test('returns revisions in the order of the nodes', async () => {
  const figureId = bench.catalog.figure('ada')
  const ids = [
    await publishText(figureId),
    await publishPicture(figureId, 40),
    await publishText(figureId),
  ]
  const { revisions: listed } = await bench.client.listRevisions({ parentId: figureId, type }, ada)
  assert.deepEqual(idsOf(listed), ids)
  const { revisions } = await read(ids)
  assert.deepEqual(revisions, listed)
  assert.deepEqual(
    revisions.map((one) => [one.metadataJson, one.data, one.sizeBytes > 0n, one.createdBy]),
    ids.map(() => ['', [], true, 'ada']),
  )
  assert.deepEqual(idsOf((await read(ids.toReversed())).revisions), ids.toReversed())
})

test('skips unknown ids; no ids give no revisions', async () => {
  const figureId = bench.catalog.figure('ada')
  const ids = [await publishText(figureId), await publishText(figureId)]
  const [first = '', second = ''] = ids
  const asked = [randomUUID(), first, 'no uuid', '', second, figureId]
  assert.deepEqual(idsOf((await read(asked)).revisions), ids)
  assert.deepEqual(await read([]), { revisions: [], width: 0 })
})

test('returns the picture of the newest revision that has one, in the requested size', async () => {
  const figureId = bench.catalog.figure('ada')
  const first = await publishText(figureId)
  assert.equal((await read([first])).width, 0)
  const wide = await publishPicture(figureId, 60)
  const small = await publishPicture(figureId, 40)
  const last = await publishText(figureId)
  assert.equal((await read([first, wide, small, last])).width, 40)
  assert.equal((await read([first, small, wide, last])).width, 60)
  assert.equal((await read([first, wide, small, last], 30)).width, 30)
  assert.equal((await read([first, wide, last], 50)).width, 50)
  assert.equal((await read([first, wide, last], 256)).width, 60, 'never larger than it is')
})

test('looks for a picture in the newest hundred', async () => {
  const figureId = bench.catalog.figure('ada')
  const picture = await publishPicture(figureId, 40)
  const later = Array.from({ length: 100 }, () => randomUUID())
  assert.equal((await read([picture, ...later.slice(1)])).width, 40)
  const beyond = await read([picture, ...later])
  assert.equal(beyond.width, 0)
  assert.deepEqual(idsOf(beyond.revisions), [picture])
})

test('returns the rest when the picture cannot be read', async () => {
  const figureId = bench.catalog.figure('ada')
  const ids = [
    await publishText(figureId),
    await publishPicture(figureId, 60),
    await publishText(figureId),
  ]
  const whole = await read(ids, 30)
  assert.equal(whole.width, 30)
  for (const failure of [
    (key: string) => new ObjectNotFound(key),
    () => new StorageUnavailable('unknown', 'it is unavailable'),
  ]) {
    failing = failure
    for (const sizePx of [0, 30]) assert.deepEqual(await read(ids, sizePx), { ...whole, width: 0 })
  }
  failing = undefined
  assert.deepEqual(await read(ids, 30), whole, 'the picture is available again')
})

test('does not hide failures other than those of the storage', async () => {
  const picture = await publishPicture(bench.catalog.figure('ada'), 40)
  failing = () => new Error('a mistake')
  await failsWith(read([picture]), { code: 'Internal' })
})

test('rejects more than a thousand nodes and invalid sizes', async () => {
  const ids = Array.from({ length: 1001 }, () => randomUUID())
  await failsWith(read(ids), { code: 'InvalidArgument', field: 'nodes' })
  assert.deepEqual((await read(ids.slice(1))).revisions, [])
  for (const sizePx of [-1, 4097]) {
    await failsWith(read([], sizePx), { code: 'InvalidArgument', field: 'size' })
  }
})
