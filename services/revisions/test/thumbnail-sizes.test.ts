import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ObjectStore } from '@figbase/kit/objects'
import sharp from 'sharp'
import { createThumbnails } from '../src/images/thumbnails.js'
import { ada, type Bench, change, image, processed, publish, startBench, type } from './service.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const picture = (background: string) =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background } })
    .jpeg()
    .toBuffer()

async function sizeOf(revisionId: string, sizePx: number) {
  const { png } = await bench.client.readThumbnail({ revisionId, type, sizePx }, ada)
  const { width, height } = await sharp(png).metadata()
  return [width, height]
}
const kept = async (id: string) =>
  (await bench.keys()).filter((key) => key.startsWith(`thumbnails/${id}/`))

test('makes a size from the next larger one, and stores it', async () => {
  const { id, data } = await publish(bench, [image(await picture('teal'), { format: 'jpeg' })])
  await processed(bench, id)
  const key = `thumbnails/${id}/${data[0]?.hash}`
  assert.deepEqual(await kept(id), [`${key}.png`])
  assert.deepEqual(await sizeOf(id, 2000), [1024, 512])
  assert.deepEqual(await sizeOf(id, 600), [600, 300])
  assert.deepEqual(await kept(id), [`${key}.png`])
  assert.deepEqual(await sizeOf(id, 256), [256, 128])
  assert.deepEqual(await kept(id), [`${key}-256.png`, `${key}-512.png`, `${key}.png`])
  assert.deepEqual(await sizeOf(id, 100), [100, 50])
  assert.deepEqual(await kept(id), [
    `${key}-128.png`,
    `${key}-256.png`,
    `${key}-512.png`,
    `${key}.png`,
  ])
})

test('makes a size once for concurrent readers and other processes', async () => {
  const { id, data } = await publish(bench, [image(await picture('olive'), { format: 'jpeg' })])
  await processed(bench, id)
  const puts: string[] = []
  const gets: string[] = []
  const { objects } = bench.service
  const watched: ObjectStore = {
    ...objects,
    put(key, bytes) {
      puts.push(key)
      return objects.put(key, bytes)
    },
    get(key, range) {
      gets.push(key)
      return objects.get(key, range)
    },
  }
  const stores = { of: () => watched }
  const digest = data[0]?.hash ?? ''
  const key = `thumbnails/${id}/${digest}`
  const storage = 'default'
  const stored = { revision_id: id, storage, key: `${key}.png`, digest, width: 1024, height: 512 }
  const log = { warn: assert.fail } as never
  const one = createThumbnails(stores, 2 ** 20, log)
  const pngs = await Promise.all(Array.from({ length: 20 }, () => one.read(stored, 500)))
  assert.ok(pngs.every((png) => pngs[0]?.equals(png)))
  assert.deepEqual(puts, [`${key}-512.png`])

  gets.length = 0
  const another = createThumbnails(stores, 2 ** 20, log)
  const png = await another.read(stored, 500)
  assert.ok(pngs[0]?.equals(png))
  assert.deepEqual(gets, [`${key}-512.png`])
  assert.equal(puts.length, 1)
})

test('a small cache loses no thumbnail', async () => {
  const { id, data } = await publish(bench, [image(await picture('teal'), { format: 'jpeg' })])
  await processed(bench, id)
  const digest = data[0]?.hash ?? ''
  const key = `thumbnails/${id}/${digest}.png`
  const stores = { of: () => bench.service.objects }
  const thumbnails = createThumbnails(stores, 0, { warn: assert.fail } as never)
  const stored = { revision_id: id, storage: 'default', key, digest, width: 1024, height: 512 }
  const sizes = [100, 128, 200, 256, 300, 512, 600]
  const pngs = await Promise.all(sizes.map((sizePx) => thumbnails.read(stored, sizePx)))
  const widths = await Promise.all(pngs.map(async (png) => (await sharp(png).metadata()).width))
  assert.deepEqual(widths, sizes)
})

test('a failing store loses no thumbnail', async () => {
  const { id, data } = await publish(bench, [image(await picture('plum'), { format: 'jpeg' })])
  await processed(bench, id)
  const digest = data[0]?.hash ?? ''
  const key = `thumbnails/${id}/${digest}.png`
  const full = async () => {
    throw new Error('no space is left')
  }
  const warnings: unknown[] = []
  const log = { warn: (_: unknown, text: string) => warnings.push(text) } as never
  const objects = { ...bench.service.objects, put: full }
  const stores = { of: () => objects }
  const thumbnails = createThumbnails(stores, 2 ** 20, log)
  const stored = { revision_id: id, storage: 'default', key, digest, width: 1024, height: 512 }
  const { width } = await sharp(await thumbnails.read(stored, 512)).metadata()
  assert.equal(width, 512)
  assert.deepEqual(warnings, ['storing a thumbnail failed'])
})

test('removes all sizes of a picture when it is replaced', async () => {
  const { id } = await publish(bench, [image(await picture('red'), { format: 'jpeg' })])
  await processed(bench, id)
  await sizeOf(id, 128)
  assert.equal((await kept(id)).length, 4)
  const { data } = await change(bench, id, [image(await picture('blue'), { format: 'jpeg' })])
  await processed(bench, id)
  const key = `thumbnails/${id}/${data[0]?.hash}`
  await bench.collect()
  assert.deepEqual(await kept(id), [`${key}.png`])
  await sizeOf(id, 128)
  assert.equal((await kept(id)).length, 4)
  await change(bench, id, [image(Buffer.from('no picture'))])
  await processed(bench, id)
  await bench.collect()
  assert.deepEqual(await kept(id), [])
})
