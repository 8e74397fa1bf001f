import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { TaskFailed } from '@figbase/kit/tasks'
import { unzipSync } from 'fflate'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import { createPptxPool, pptxExport } from '../src/exports/pptx.js'
import { figureOf as figure, type Shown, sourceOf } from './story-source.js'

const run = promisify(execFile)
const signal = new AbortController().signal
const mebibyte = 2 ** 20

// Other test files create directories, too.
const directory = await mkdtemp(join(tmpdir(), 'figbase-pptx-'))
process.env.TMPDIR = directory
after(() => rm(directory, { recursive: true, force: true }))

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle cx="30" cy="20" r="9"/></svg>'
const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#36c' } })
    .png()
    .toBuffer()

type Limits = { memory?: number; timeoutMs?: number; bytesMax?: number }

async function exported(
  shown: Shown[],
  { memory = 512 * mebibyte, timeoutMs = 60_000, bytesMax = 100 * mebibyte }: Limits = {},
) {
  const cfg = { exportMemoryBytesMax: memory, exportTimeoutMs: timeoutMs }
  await using pool = createPptxPool(cfg as Parameters<typeof createPptxPool>[0])
  const parts: Uint8Array[] = []
  for await (const part of pptxExport(sourceOf(shown), pool, { signal, bytesMax })) parts.push(part)
  return Buffer.concat(parts)
}

function opened(bytes: Buffer) {
  const files = unzipSync(bytes)
  const textOf = (path: string) => Buffer.from(files[path] ?? []).toString()
  const media = (extension: string) =>
    Object.entries(files).filter(([name]) => name.endsWith(`.${extension}`))
  return {
    files,
    slide: (n: number) => textOf(`ppt/slides/slide${n}.xml`),
    relations: (n: number) => textOf(`ppt/slides/_rels/slide${n}.xml.rels`),
    notes: (n: number) => textOf(`ppt/notesSlides/notesSlide${n}.xml`),
    media,
  }
}

test('an SVG stays an SVG, with the picture for programs that cannot show it, each stored once', async () => {
  const picture = await png(600, 400)
  const one = figure('one', { picture, svg: drawing })
  const { slide, relations, media } = opened(await exported([{ figure: one }, { figure: one }]))
  assert.equal(media('svg').length, 1)
  assert.ok(Buffer.from(media('svg')[0]?.[1] ?? []).includes('<circle cx="30"'))
  const pngs = media('png')
  assert.equal(pngs.length, 2, 'the picture and the QR code')
  assert.ok(pngs.some(([, bytes]) => picture.equals(bytes)))
  for (const n of [1, 2]) {
    const main = /<a:blip r:embed="(\w+)"><a:extLst>.*?<asvg:svgBlip [^>]*r:embed="(\w+)"/s
    const [, raster, vector] = main.exec(slide(n).replaceAll(/>\s+</g, '><')) ?? []
    const target = (id: string | undefined) =>
      new RegExp(`Id="${id}" [^>]*Target="../([^"]+)"`).exec(relations(n))?.[1]
    assert.equal(`ppt/${target(vector)}`, media('svg')[0]?.[0])
    const [path] = pngs.find(([, bytes]) => picture.equals(bytes)) ?? []
    assert.equal(`ppt/${target(raster)}`, path)
  }
})

test('an SVG that is unsafe, damaged or has another shape is a picture only', async () => {
  const picture = await png(600, 400)
  const unsafe = drawing.replace('<circle', '<image href="http://a.example/x.png"/><circle')
  const tall = drawing.replace('height="40"', 'height="90"')
  for (const svg of [unsafe, tall, 'no drawing', '']) {
    const { media, slide } = opened(await exported([{ figure: figure('one', { picture, svg }) }]))
    assert.equal(media('svg').length, 0, svg)
    assert.ok(slide(1).includes('<p:pic>'))
  }
})

test('a slide says where its figure comes from, with a QR code of its address, and so do its notes', async () => {
  const one = figure('A <b> & c', { picture: await png(60, 40), codes: ['plot.py', 'b.R'] })
  const { slide, notes, relations, media } = opened(await exported([{ figure: one }]))
  const address = 'https://figbase.example/r/id%20of%20A%20%3Cb%3E%20%26%20c'
  for (const text of [slide(1), notes(1)]) {
    for (const part of ['Source: A &lt;b&gt; &amp; c, revision 3', 'plot.py, b.R', 'asset-1']) {
      assert.ok(text.includes(part), part)
    }
  }
  assert.ok(notes(1).includes(address) && relations(1).includes(address))
  const codes = await Promise.all(
    media('png').map(async ([, bytes]) => {
      const { data, info } = await sharp(bytes)
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      try {
        return decodeQR({ ...info, data })
      } catch {
        return undefined
      }
    }),
  )
  assert.ok(codes.includes(address), codes.join())
})

test('a paragraph has its properties once, with a bullet for each item of a list', async () => {
  const content = '- one **bold** and *italic*\n- two\n  1. deep `code`\n\ntext **bold**'
  const { slide } = opened(await exported([{ content }]))
  const paragraphs = [...slide(1).matchAll(/<a:p>.*?<\/a:p>/gs)].map(([one]) => one)
  assert.equal(paragraphs.length, 4)
  for (const one of paragraphs) assert.equal(one.split('<a:pPr').length, 2, one)
  assert.deepEqual(
    paragraphs.map((one) => /<a:bu(Char|AutoNum|None)/.exec(one)?.[1]),
    ['Char', 'Char', 'AutoNum', 'None'],
  )
  assert.ok(paragraphs[2]?.includes('lvl="1"'))
})

test('a link of the web is a link, in text and in tables', async () => {
  const link = '[b](https://b.example/?x=1&y=2)'
  const { slide, relations } = opened(
    await exported([{ content: `a ${link} c\n\n| h |\n|---|\n| ${link} |` }]),
  )
  const ids = [...slide(1).matchAll(/<a:hlinkClick r:id="(\w+)"/g)].map(([, id]) => id)
  assert.equal(ids.length, 2)
  for (const id of ids) {
    const target = new RegExp(`Id="${id}"[^>]*Target="([^"]+)"`).exec(relations(1))?.[1]
    assert.equal(target, 'https://b.example/?x=1&amp;y=2')
  }
})

test('a table is a table, and says what it does not show', async () => {
  const row = (of: string) => `|${of.repeat(12)}`
  const large = [row('h|'), row('-|'), ...Array(30).fill(row('x|'))].join('\n')
  const { slide } = opened(
    await exported([{ content: '| a | **b** |\n|---|---|\n| 1 | 2 |' }, { content: large }]),
  )
  assert.equal(slide(1).split('<a:tr ').length - 1, 2)
  assert.equal(slide(1).split('<a:tc>').length - 1, 4)
  assert.equal(slide(2).split('<a:gridCol ').length - 1, 10)
  assert.ok(slide(2).includes('… and 10 more rows and 2 more columns in the story'))
})

test('a presentation that takes too much memory or time fails with a message, and leaves no file', async () => {
  const content = `- ${'a **b** '.repeat(2000)}`
  const slides = Array.from({ length: 300 }, () => ({ content }))
  const isMessage = (text: RegExp) => (error: unknown) =>
    error instanceof TaskFailed && text.test(error.message)
  const limits = [{ memory: 100 * mebibyte }, { timeoutMs: 500 }]
  for (const limit of limits) {
    await assert.rejects(exported(slides, limit), isMessage(/too large, or took too long/))
  }
  const picture = await png(400, 400)
  const shown = Array.from({ length: 3 }, (_, n) => ({ figure: figure(`f${n}`, { picture }) }))
  const bytesMax = 2 * picture.length
  await assert.rejects(exported(shown, { bytesMax }), isMessage(/pictures are too large/))
  assert.deepEqual(await readdir(directory), [])
})

const hasLibreOffice = await Promise.all([run('soffice', ['--version']), run('pdftotext', ['-v'])])
  .then(() => true)
  .catch(() => false)

test('LibreOffice opens a presentation with all kinds of slides', {
  skip: hasLibreOffice ? false : 'LibreOffice or pdftotext is not installed',
  timeout: 120_000,
}, async () => {
  const picture = await png(600, 400)
  const jpeg = await sharp(picture).jpeg().toBuffer()
  const bytes = await exported([
    { content: '# Bloom' },
    { content: '- one **bold**\n- two', figure: figure('one', { picture, svg: drawing }) },
    { figure: figure('two', { picture: jpeg, extension: 'jpg' }) },
    { figure: figure('broken', { picture: picture.subarray(0, 20) }) },
    { content: '| head |\n|---|\n| cell |' },
    { absence: 'absent', content: 'said' },
  ])
  const folder = await mkdtemp(join(tmpdir(), 'figbase-libreoffice-'))
  const file = join(folder, 'story.pptx')
  await writeFile(file, bytes)
  const profile = `-env:UserInstallation=file://${folder}/profile`
  await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file])
  await run('pdftotext', [join(folder, 'story.pdf'), join(folder, 'story.txt')])
  const pages = (await readFile(join(folder, 'story.txt'), 'utf8')).split('\f').slice(0, -1)
  const expected = ['Bloom', 'bold', 'Source: two', 'Source: broken', 'cell', 'absent']
  assert.equal(pages.length, expected.length)
  for (const [n, part] of expected.entries()) assert.ok(pages[n]?.includes(part), part)
  await rm(folder, { recursive: true })
})
