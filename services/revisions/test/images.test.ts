import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { blake3 } from 'hash-wasm'
import sharp, { type Sharp } from 'sharp'
import { corpusFigures } from './corpus.js'
import { failsWith } from './failure.js'
import { withChunk } from './png-chunk.js'
import {
  ada,
  type Bench,
  bob,
  change,
  download,
  image,
  processed,
  publish,
  startBench,
  type,
  until,
} from './service.js'

let bench: Bench
before(async () => {
  bench = await startBench('local', { IMAGE_BYTES_MAX: '2MiB' })
})
after(() => bench[Symbol.asyncDispose]())

const canvas = (width: number, height: number, background = '#2e8b57') =>
  sharp({ create: { width, height, channels: 3, background } })

const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">
     <rect width="150" height="200" fill="teal"/></svg>`,
)

async function thumbnail(revisionId: string, sizePx = 0, as = ada) {
  const { png, etag } = await bench.client.readThumbnail({ revisionId, type, sizePx }, as)
  if (png.length === 0) return { etag }
  const { format, width, height } = await sharp(png).metadata()
  return { etag, format, width, height, png }
}

const formats: [string, Sharp][] = [
  ['png', canvas(1500, 1000).png()],
  ['jpeg', canvas(1500, 1000).jpeg()],
  ['webp', canvas(1500, 1000).webp()],
  ['gif', canvas(1500, 1000).gif()],
  ['tiff', canvas(1500, 1000).tiff()],
]
for (const [format, picture] of formats) {
  test(`a ${format} gets a PNG no larger than requested`, async () => {
    const { id } = await publish(bench, [image(await picture.toBuffer(), { format })])
    const { data } = await processed(bench, id)
    assert.equal(data[0]?.processingError, undefined)
    const full = await thumbnail(id)
    assert.deepEqual([full.format, full.width, full.height], ['png', 1024, 683])
    const small = await thumbnail(id, 100)
    assert.deepEqual([small.format, small.width, small.height], ['png', 100, 67])
    const large = await thumbnail(id, 4096)
    assert.deepEqual([large.width, large.height], [1024, 683])
    assert.equal(new Set([full.etag, small.etag, large.etag]).size, 3)
  })
}

test('renders a vector image in the size of a thumbnail, and does not enlarge a bitmap', async () => {
  const drawing = await publish(bench, [image(svg, { format: 'SVG' })])
  await processed(bench, drawing.id)
  const { format, width, height } = await thumbnail(drawing.id)
  assert.deepEqual([format, width, height], ['png', 1024, 683])
  const small = await publish(bench, [image(await canvas(40, 30).png().toBuffer())])
  await processed(bench, small.id)
  const shown = await thumbnail(small.id, 512)
  assert.deepEqual([shown.width, shown.height], [40, 30])
})

test('a PNG that fits is its own thumbnail, stored once', async () => {
  const png = await canvas(60, 40).png().toBuffer()
  const { id } = await publish(bench, [image(png)])
  await processed(bench, id)
  const full = await thumbnail(id)
  assert.ok(full.png && png.equals(full.png))
  const small = await thumbnail(id, 30)
  assert.deepEqual([small.format, small.width, small.height], ['png', 30, 20])
  assert.ok((await bench.keys()).every((key) => !key.includes(id)))
})

test('bytes of clean-room data are not served as a thumbnail', async () => {
  const comment = Buffer.from('Comment\0the sample')
  const png = withChunk(await canvas(61, 41).png().toBuffer(), 'tEXt', comment)
  const { id } = await publish(bench, [{ ...image(png), isCleanRoom: true }])
  await processed(bench, id)
  const shown = await thumbnail(id)
  assert.deepEqual([shown.format, shown.width, shown.height], ['png', 61, 41])
  assert.ok(shown.png && !Buffer.from(shown.png).includes('the sample'))
  assert.equal((await bench.keys()).filter((key) => key.includes(id)).length, 1)
})

test('keeps an undecodable image with a reason and without a thumbnail', async () => {
  const updated = Buffer.from('updated')
  const { id } = await publish(bench, [
    image(updated),
    image(Buffer.from('<html>'), { format: 'html' }),
  ])
  const revision = await processed(bench, id)
  assert.deepEqual(
    revision.data.map((one) => one.processingError),
    ['unsupported or invalid image', 'unsupported or invalid image'],
  )
  assert.equal(revision.imageHash, await blake3(updated))
  assert.equal(revision.hasThumbnail, false)
  assert.deepEqual(await thumbnail(id), { etag: '' })
  const { bytes } = await download(bench, revision.data[0]?.id ?? '')
  assert.ok(bytes.equals(updated))
})

test('keeps the reason until there is a thumbnail', async () => {
  const failures = (id: string) =>
    bench.query<{ data_id: string; step: string; reason: string }>(
      'select data_id, step, reason from processing_failure where revision_id = $1',
      [id],
    )
  const { id, data } = await publish(bench, [image(Buffer.from('updated'))])
  await processed(bench, id)
  const reason = 'unsupported or invalid image'
  assert.deepEqual(await failures(id), [{ data_id: data[0]?.id, step: 'picture', reason }])
  const png = await canvas(50, 20).png().toBuffer()
  await change(bench, id, [image(png)])
  await processed(bench, id)
  assert.deepEqual(await failures(id), [])
})

test('processing ends without a picture while the store is unavailable, and makes it later', async () => {
  const { objects } = bench.service
  const { get } = objects
  objects.get = () => {
    throw new Error('the store is away')
  }
  const png = await canvas(77, 20).png().toBuffer()
  const { id } = await publish(bench, [image(png, { format: 'png' })])
  const ended = await processed(bench, id)
  assert.equal(ended.data[0]?.processingError, 'the image could not be read')
  assert.deepEqual([ended.hasThumbnail, ended.imageHash], [false, await blake3(png)])
  const waiting = () =>
    bench.query<{ state: string }>(`select state from job where name = 'draw-again'`)
  assert.deepEqual(await waiting(), [{ state: 'delayed' }])
  objects.get = get
  await bench.query(`update job set run_at = now() where name = 'draw-again'`)
  await until(async () => (await waiting()).length === 0)
  const retried = await processed(bench, id)
  assert.deepEqual([retried.hasThumbnail, retried.data[0]?.processingError], [true, undefined])
  assert.equal((await thumbnail(id)).width, 77)
  assert.deepEqual(
    await bench.query('select from processing_failure where revision_id = $1', [id]),
    [],
  )
})

test('accepts bytes after the end of an image, and makes no thumbnail of a large image', async () => {
  const png = await canvas(200, 100).png().toBuffer()
  const trailing = Buffer.concat([png, Buffer.from('and more')])
  const large = Buffer.concat([png, Buffer.alloc(2 ** 21)])
  const { id } = await publish(bench, [image(trailing)])
  await processed(bench, id)
  assert.equal((await thumbnail(id)).width, 200)
  const refused = await publish(bench, [image(large)])
  const revision = await processed(bench, refused.id)
  assert.equal(revision.data[0]?.processingError, 'the image is too large')
})

test('prefers an image without a watermark in any order', async () => {
  const page = Buffer.from('<html></html>')
  const plain = await canvas(30, 10).png().toBuffer()
  const marked = await canvas(20, 10).png().toBuffer()
  const { id } = await publish(bench, [
    image(marked, { format: 'png', is_watermarked: true }),
    image(page, { format: 'html', is_watermarked: false }),
    image(svg, { format: 'svg', is_watermarked: false }),
    image(plain, { format: 'png', is_watermarked: false }),
  ])
  const revision = await processed(bench, id)
  // The image hash is that of the first image without a watermark, the picture that of the best one.
  assert.equal(revision.imageHash, await blake3(page))
  assert.equal((await thumbnail(id)).width, 30)
  assert.ok(revision.data.every((one) => one.processingError === undefined))
})

test('processing twice changes nothing, and processing that never ends is stopped', async () => {
  const { id } = await publish(bench, [image(await canvas(33, 11).png().toBuffer())])
  const first = await processed(bench, id)
  const again = async (attempts: number) => {
    await bench.query(
      'update revision set is_processing = true, processing_attempts = $2 where id = $1',
      [id, attempts],
    )
    await bench.query(`select enqueue_job('process-revision', null, $1::json, null, 0, null, 1)`, [
      JSON.stringify({ revisionId: id, silent: false }),
    ])
    return processed(bench, id)
  }
  const keys = await bench.keys()
  assert.deepEqual(await again(1), first)
  assert.deepEqual(await bench.keys(), keys)
  const given = await again(3)
  assert.equal(given.data[0]?.processingError, 'the image could not be processed')
})

test('thumbnails need permission, and a valid size', async () => {
  const { id } = await publish(bench, [image(await canvas(40, 30).png().toBuffer())])
  await failsWith(thumbnail(id, 10, bob), { code: 'PermissionDenied' })
  await failsWith(thumbnail(id, 4097), { field: 'size' })
  await failsWith(thumbnail(id, -1), { field: 'size' })
  await failsWith(thumbnail('none'), { code: 'NotFound' })
})

test('published figures come back byte for byte and have thumbnails', async () => {
  const figures = await corpusFigures()
  assert.ok(figures.length >= 40)
  for (const { name, bytes } of figures) {
    const format = name.endsWith('.svg') ? 'svg' : 'png'
    const { id, data } = await publish(bench, [image(bytes, { format })])
    assert.ok((await download(bench, data[0]?.id ?? '')).bytes.equals(bytes), name)
    const revision = await processed(bench, id)
    assert.equal(revision.data[0]?.processingError, undefined, name)
    assert.equal((await thumbnail(id, 64)).format, 'png', name)
  }
})
