import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { eps, pdf } from './documents.js'
import { pngChunk, pngHeadBytes } from './png-chunk.js'
import { renderers } from './renderers.js'
import { canary, type Sandbox, startSandbox } from './sandbox.js'
import { ada, type } from './service.js'

/** For every hostile image the processing ends, the service continues, and only the image itself is read. */
let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox()
})
after(() => sandbox[Symbol.asyncDispose]())

const png = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()

const svg = (inner: string, size = 'width="100" height="100"', head = '') =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xi="http://www.w3.org/2001/XInclude" ${size}>${inner}</svg>`

const dataAddress = (drawing: string) =>
  `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`

/** Each level has ten of the level below. */
const tenfold = (levels: number, level: (below: number) => string) =>
  Array.from({ length: levels }, (_, n) => level(n)).join('\n')

test('a vector image with references to files and URLs reads none', async () => {
  const drawings = sandbox.places.flatMap((href) => {
    const inner = `
      <style>@import url("${href}"); @font-face { font-family: f; src: url("${href}") }
        rect { fill: url("${href}#a"); filter: url("${href}#b") }</style>
      <image href="${href}" width="9" height="9"/><image xlink:href="${href}" width="9" height="9"/>
      <use href="${href}#a"/><use xlink:href="${href}"/>
      <filter id="f"><feImage href="${href}"/></filter><rect width="9" height="9" filter="url(#f)"/>
      <pattern id="p" href="${href}#p"/><rect width="9" height="9" fill="url(#p)"/>
      <foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${href}"/>
        <iframe xmlns="http://www.w3.org/1999/xhtml" src="${href}"/></foreignObject>
      <script href="${href}"/><xi:include href="${href}" parse="text"/>
      <text font-family="f"><xi:include href="${href}" parse="text"/><tref xlink:href="${href}"/>a word</text>`
    const entities = `<!DOCTYPE svg SYSTEM "${href}" [<!ENTITY secret SYSTEM "${href}">
      <!ENTITY % more SYSTEM "${href}">%more;]>`
    const sheet = `<?xml version="1.0"?><?xml-stylesheet href="${href}" type="text/css"?>`
    return [
      svg(inner, '', sheet),
      svg(`${inner}<text>&secret;</text>`, '', entities),
      svg(`<text>a word</text><image href="${dataAddress(svg(inner))}" width="9" height="9"/>`),
    ]
  })
  for (const { texts } of await sandbox.pictures('svg', drawings)) {
    assert.ok(texts.join().includes('a word'))
    assert.ok(!texts.join().includes(canary))
  }
  assert.equal(sandbox.requests(), 0)
})

test('bombs of entities, nesting, size and references end in time', async () => {
  const depth = 200_000
  const entityBomb = tenfold(12, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
  const uses = tenfold(9, (n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`)
  const long = `<!DOCTYPE svg [<!ENTITY e "${'ha'.repeat(50_000)}">]>`
  const huge =
    '<filter id="f"><feGaussianBlur stdDeviation="1e9"/><feTurbulence numOctaves="999999"/></filter>' +
    '<rect width="9" height="9" filter="url(#f)"/>'
  let nested = svg('')
  for (let level = 0; level < 12; level++) {
    nested = svg(`<image href="${dataAddress(nested)}" width="9" height="9"/>`)
  }
  const drawings = [
    svg('<text>&e12;</text>', '', `<!DOCTYPE svg [<!ENTITY e0 "ha">${entityBomb}]>`),
    svg(`<text>${'&e;'.repeat(50_000)}</text>`, '', long),
    svg('<g>'.repeat(depth) + '</g>'.repeat(depth)),
    svg(`<text>${'<tspan>'.repeat(depth)}deep${'</tspan>'.repeat(depth)}</text>`),
    svg(`<rect id="g0" width="9" height="9"/>${uses}<use href="#g9"/>`),
    svg('<g id="a"><use href="#a"/></g><pattern id="p" href="#p"/><use href="#a"/>'),
    svg('<text>wide</text>', 'width="1e9" height="1e9"'),
    svg('', 'width="1e309" height="-1" viewBox="0 0 0 NaN"'),
    svg(huge),
    svg(`<path d="${'M0 0 L9 9 '.repeat(500_000)}"/>`),
    gzipSync(svg(`<!--${' '.repeat(20 * 2 ** 20)}-->`)),
    gzipSync(gzipSync(svg(''))),
    nested,
  ]
  for (const { texts } of await sandbox.pictures('svg', drawings)) {
    assert.ok(texts.join().length <= 2 ** 20)
  }
})

test('rejects absurd sizes by the header', async () => {
  const plain = await png()
  const sized = (width: number, height: number) => {
    const header = Buffer.from(plain.subarray(16, 29))
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    const rest = plain.subarray(pngHeadBytes)
    return Buffer.concat([plain.subarray(0, 8), pngChunk('IHDR', header), rest])
  }
  const largest = 2 ** 31 - 1
  const pngs = [
    sized(largest, largest),
    sized(2 ** 31, 1),
    sized(2 ** 32 - 1, 1),
    sized(0, 0),
    sized(1, largest),
  ]
  const tiff = await sharp(plain).tiff({ compression: 'none' }).toBuffer()
  const entriesAt = tiff.readUInt32LE(4) + 2
  // Width and height come first, as numbers of four bytes.
  for (const entryAt of [entriesAt, entriesAt + 12]) {
    tiff.writeUInt16LE(4, entryAt + 2)
    tiff.writeUInt32LE(largest, entryAt + 8)
  }
  for (const { isShown, reasons } of await sandbox.pictures('png', [...pngs, tiff])) {
    assert.equal(isShown, false)
    assert.equal(reasons.length, 1)
  }
})

test('shows the first of many pages or frames', async () => {
  const frames = await Promise.all(Array.from({ length: 60 }, () => png(200, 100)))
  const joined = () => sharp(frames, { join: { animated: true } })
  const many = [joined().tiff(), joined().gif(), joined().webp()]
  const bytes = await Promise.all(many.map((one) => one.toBuffer()))
  for (const { id, isShown } of await sandbox.pictures('tiff', bytes)) {
    assert.ok(isShown)
    const { png: shown } = await sandbox.bench.client.readThumbnail({ revisionId: id, type }, ada)
    const { width, height } = await sharp(shown).metadata()
    assert.deepEqual([width, height], [200, 100])
  }
})

test('processing ends for images truncated anywhere', async () => {
  const plain = await png(300, 200)
  const whole = [
    plain,
    await sharp(plain).jpeg().toBuffer(),
    await sharp(plain).webp().toBuffer(),
    await sharp(plain).gif().toBuffer(),
    await sharp(plain).tiff().toBuffer(),
    await sharp(plain).avif().toBuffer(),
    Buffer.from(svg('<text>cut</text>')),
    gzipSync(svg('<text>cut</text>')),
    pdf('0 0 9 9 re f'),
    eps('0 0 9 9 rectfill showpage'),
  ]
  const cut = whole.flatMap((bytes) =>
    [0.1, 0.5, 0.95].map((part) => bytes.subarray(0, Math.floor(bytes.length * part))),
  )
  assert.equal((await sandbox.pictures('svg', cut)).length, 30)
})

test('a polyglot file is handled by its first bytes', async () => {
  const plain = await png()
  const document = pdf('BT /F 9 Tf (a document) Tj ET')
  const drawing = Buffer.from(svg('<text>a drawing</text>'))
  const [asPng, asSvg, asPdf] = await sandbox.pictures('svg', [
    Buffer.concat([plain, document, eps('{ } loop')]),
    Buffer.concat([drawing, document]),
    Buffer.concat([document, drawing, plain]),
    Buffer.concat([Buffer.from('GIF89a/*'), drawing]),
    Buffer.concat([gzipSync(drawing), plain]),
    Buffer.concat([eps('showpage'), document]),
  ])
  assert.deepEqual([asPng?.isShown, asPng?.texts], [true, []])
  assert.deepEqual(asSvg?.texts, ['a drawing'])
  assert.equal(asPdf?.isShown, renderers.pdf !== undefined)
})

test('other pictures still get thumbnails afterwards', async () => {
  const [bitmap, drawing] = await sandbox.pictures('svg', [await png(), svg('<text>well</text>')])
  assert.deepEqual([bitmap?.isShown, drawing?.isShown, drawing?.texts], [true, true, ['well']])
  assert.equal(sandbox.requests(), 0)
})
