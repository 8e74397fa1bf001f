import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { PictureError, pictureOf } from '../src/images/picture.js'
import { createRenderPool } from '../src/images/render-pool.js'
import { configureSharp } from '../src/images/sharp.js'
import { usablePng } from '../src/images/usable-png.js'
import { withChunk } from './png-chunk.js'

const limits = { imagePixelsMax: 100_000_000, imageTimeoutMs: 10_000 }
const drawings = createRenderPool(
  {
    ...limits,
    renderConcurrency: 1,
    childMemoryBytesMax: 400 * 2 ** 20,
  },
  {},
)
const draw = (svg: string | Buffer) =>
  drawings.render('svg', Buffer.from(svg), new AbortController().signal)
before(() => configureSharp())
after(() => drawings[Symbol.asyncDispose]())

const red = () =>
  sharp({ create: { width: 100, height: 100, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

test('an SVG cannot reach the network or files', async () => {
  let requests = 0
  const server = createServer((_, res) => {
    requests++
    void red().then((png) => res.setHeader('content-type', 'image/png').end(png))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = await mkdtemp(join(tmpdir(), 'figbase-svg-'))
  const file = join(folder, 'red.png')
  await writeFile(file, await red())
  const { port } = server.address() as AddressInfo
  try {
    for (const href of [`http://127.0.0.1:${port}/red.png`, `file://${file}`, file]) {
      const drawing = `<?xml version="1.0"?>
        <?xml-stylesheet href="${href}" type="text/css"?>
        <!DOCTYPE svg [<!ENTITY secret SYSTEM "${href}">]>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
             xmlns:xi="http://www.w3.org/2001/XInclude" width="100" height="100">
          <style>@import url("${href}");</style>
          <rect width="100" height="100" fill="white"/>
          <image href="${href}" width="100" height="100"/>
          <image xlink:href="${href}" width="100" height="100"/>
          <xi:include href="${href}" parse="text"/>
          <text>&secret;</text>
        </svg>`
      assert.deepEqual(await coloursOf(drawing), { min: 255, max: 255 }, href)
    }
    assert.equal(requests, 0)
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})

/** Green is 255 everywhere on white, and absent in red. A rejected image has no colours. */
async function coloursOf(drawing: string) {
  try {
    const { png } = await draw(drawing)
    const { channels } = await sharp(png).removeAlpha().stats()
    return { min: channels[1]?.min, max: channels[1]?.max }
  } catch (error) {
    if (error instanceof PictureError) return { min: 255, max: 255 }
    throw error
  }
}

test('rejects an entity bomb quickly', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
  )
  const bomb = `<!DOCTYPE svg [<!ENTITY e0 "boom">${levels.join('')}]>
    <svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&e12;</text></svg>`
  const started = performance.now()
  await assert.rejects(draw(bomb), PictureError)
  assert.ok(performance.now() - started < 2000)
})

test('rejects an image with too many pixels by its header', async () => {
  const png = await sharp({
    create: { width: 12_000, height: 12_000, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer()
  await assert.rejects(pictureOf(png, limits), { message: 'the image has too many pixels' })
})

test('rejects an SVG with a huge size', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900000" height="900000"/>`
  await assert.rejects(draw(svg), PictureError)
})

test('rejects a compression bomb, or decodes it cheaply', async () => {
  const before = process.memoryUsage().rss
  const started = performance.now()
  const zeros = deflateSync(Buffer.alloc(100 * 2 ** 20))
  const plain = await red()
  // A comment and a profile that decompress to 100 MiB.
  for (const type of ['zTXt', 'iCCP']) {
    const png = withChunk(plain, type, Buffer.concat([Buffer.from('x\0\0'), zeros]))
    await usablePng(png, limits)
    await pictureOf(png, limits).catch(isRefusal)
  }
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><!--${' '.repeat(50 * 2 ** 20)}--></svg>`
  await draw(gzipSync(drawing)).catch(isRefusal)
  assert.ok(performance.now() - started < 10_000)
  assert.ok(process.memoryUsage().rss - before < 400 * 2 ** 20)
})

test('deep nesting and self references of an SVG do no harm', async () => {
  const svg = (inner: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
      width="100" height="100">${inner}</svg>`
  const depth = 100_000
  const nested = svg('<g>'.repeat(depth) + '</g>'.repeat(depth))
  await assert.rejects(draw(nested), PictureError)
  for (const inner of [
    '<g id="a"><use xlink:href="#a"/></g><use xlink:href="#a"/>',
    '<pattern id="p" width="1e-9" height="1e-9"><rect fill="url(#p)"/></pattern>' +
      '<rect width="100" height="100" fill="url(#p)"/>',
  ]) {
    await draw(svg(inner)).catch(isRefusal)
  }
})

function isRefusal(error: unknown) {
  if (!(error instanceof PictureError)) throw error
}

test('the service process has no SVG decoder', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  await draw(svg)
  const message = 'unsupported or invalid image'
  await assert.rejects(pictureOf(Buffer.from(svg), limits), { message })
})

test('rejects truncated and empty images', async () => {
  const png = await red()
  await assert.rejects(pictureOf(png.subarray(0, 60), limits), PictureError)
  await assert.rejects(pictureOf(Buffer.alloc(0), limits), PictureError)
})

test('shows only the first frame of an animation, upright', async () => {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { png, width, height } = await pictureOf(gif, limits)
  assert.deepEqual([width, height], [20, 10])
  const { dominant } = await sharp(png).stats()
  assert.ok(dominant.r > 200 && dominant.b < 50)
})

test('the largest thumbnail fits one message, with eight bits per channel', async () => {
  const noise = Uint16Array.from({ length: 1100 * 1100 * 4 }, () => Math.random() * 65_536)
  const deep = await sharp(noise, { raw: { width: 1100, height: 1100, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  assert.equal((await sharp(deep).metadata()).depth, 'ushort')
  const { png } = await pictureOf(deep, limits)
  assert.equal((await sharp(png).metadata()).depth, 'uchar')
  assert.ok(png.length < 5 * 2 ** 20, `${png.length} bytes`)
})
