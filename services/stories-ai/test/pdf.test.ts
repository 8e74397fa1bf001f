import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Code } from '@connectrpc/connect'
import { TaskFailed } from '@figbase/kit/tasks'
import { ExportFormat, SlideType } from '@figbase/proto/stories'
import sharp from 'sharp'
import type { Ctx } from '../src/context.js'
import { type Chromium, findChromium } from '../src/exports/pdf/chromium.js'
import { createPdfMaker, pdfExport } from '../src/exports/pdf/pdf.js'
import { found, withoutChromium } from './chromium.js'
import { figureOf, type Shown, sourceOf } from './story-source.js'
import { ann, eve, failureOf, start } from './test-service.js'

const run = promisify(execFile)
const never = new AbortController().signal
const mebibyte = 2 ** 20

// Other test files create directories, too. The account of Chromium may pass.
const directory = await mkdtemp(join(tmpdir(), 'figbase-pdf-'))
// A long path, as operators and host names may cause.
const temporary = join(directory, 'temporary-'.repeat(10))
const programs = join(directory, 'programs')
await chmod(directory, 0o755)
for (const path of [temporary, programs]) await mkdir(path, { mode: 0o755 })
await chmod(programs, 0o777)
process.env.TMPDIR = temporary
after(() => rm(directory, { recursive: true }))

const defaults = {
  exportMemoryBytesMax: 512 * mebibyte,
  pdfMemoryBytesMax: 2048 * mebibyte,
  exportBytesMax: 100 * mebibyte,
  pdfPagesMax: 100,
  pdfConcurrency: 1,
  exportTimeoutMs: 120_000,
  chromium: { path: '', user: 'nobody', sandboxRequired: false },
}
type Cfg = typeof defaults

const warnings: object[] = []
beforeEach(() => warnings.splice(0))

async function exported(
  shown: Shown[],
  {
    name = 'Bloom',
    signal = never,
    ...more
  }: Partial<Cfg> & { name?: string; signal?: AbortSignal } = {},
) {
  const cfg = { ...defaults, ...more } as Ctx['cfg']
  const pdfMaker = createPdfMaker(cfg)
  await using _pool = pdfMaker?.pool
  const log = { warn: (detail: object) => warnings.push(detail) }
  const parts: Uint8Array[] = []
  const ctx = { pdfMaker, cfg, log } as unknown as Ctx
  for await (const part of pdfExport(sourceOf(shown, name), ctx, signal)) parts.push(part)
  return Buffer.concat(parts)
}

/** What tools for PDF say about a file. */
async function readPdf(bytes: Buffer) {
  const file = join(directory, 'read.pdf')
  await writeFile(file, bytes)
  const [text, info, links, images] = await Promise.all([
    run('pdftotext', ['-layout', file, '-']),
    run('pdfinfo', [file]),
    run('pdfinfo', ['-url', file]),
    run('pdfimages', ['-list', file]),
  ])
  const pages = text.stdout.split('\f').slice(0, -1)
  return { pages, info: info.stdout, links: links.stdout, images: images.stdout }
}

const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TaskFailed, String(error))
  assert.match(error.message, pattern)
  return true
}

/** A program in place of Chromium, which writes its process id to a file. */
async function programOf(name: string, script: string): Promise<Cfg['chromium']> {
  const path = join(programs, name)
  await writeFile(path, `#!/bin/sh\necho $$ >> ${pidFile(name)}\n${script}\n`, { mode: 0o755 })
  return { ...defaults.chromium, path }
}
const pidFile = (name: string) => join(programs, `${name}.pid`)
const pidsOf = async (name: string) =>
  (await readFile(pidFile(name), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean)

/** A zombie, where nothing reaps orphans, is not alive. */
const isAlive = (pid: string) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !stat.includes(') Z'),
    () => false,
  )

async function until(condition: () => Promise<boolean>, what: string) {
  for (const end = Date.now() + 60_000; !(await condition()); await delay(20)) {
    assert.ok(Date.now() < end, what)
  }
}
const areGone = (pids: string[]) =>
  until(async () => !(await Promise.all(pids.map(isAlive))).includes(true), 'a process is alive')

const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#36c' } })
  .png()
  .toBuffer()
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><text y="20" font-size="9">drawn</text></svg>'

test('a PDF has a page for each slide, with text, pictures, origins, links, numbers and a title', {
  skip: withoutChromium,
}, async () => {
  const jpeg = await sharp(png).resize(5000, 4000, { fit: 'fill' }).jpeg().toBuffer()
  const shown: Shown[] = [
    { type: SlideType.TITLE, content: '# Ωμέγα\n\n[a link](https://example.org/?a=1&b=2)' },
    {
      type: SlideType.FIGURE,
      content: 'It *was* warm.',
      figure: figureOf('Nets', { picture: png, codes: ['plot.py'] }),
    },
    { figure: figureOf('Photo', { picture: jpeg, extension: 'jpg' }) },
    { figure: figureOf('Drawing', { picture: png, svg: drawing }) },
    {
      figure: figureOf('Broken', {
        picture: Buffer.concat([png.subarray(0, 8), Buffer.from('x')]),
      }),
    },
    { content: 'What the author wrote.', absence: 'You may not view the figure on this slide.' },
  ]
  const { pages, info, links, images } = await readPdf(
    await exported(shown, { name: 'Θ "quoted" \\ 1' }),
  )
  assert.match(info, /^Title: +Θ "quoted" \\ 1$/m)
  assert.match(info, /^Page size: +960 x 540 pts$/m)
  assert.match(info, /^JavaScript: +no$/m)
  assert.equal(pages.length, 6)
  assert.ok(pages[0]?.includes('Ωμέγα') && !/1 ?\/ ?6/.test(pages[0]))
  for (const part of [
    'It was warm.',
    'Source: Nets, revision 3 (id of Nets)',
    'Code: plot.py',
    'Assets: asset-1',
    'Θ "quoted" \\ 1',
  ]) {
    assert.ok(pages[1]?.includes(part), `${part} in ${pages[1]}`)
  }
  assert.match(pages[1] ?? '', /2 ?\/ ?6/)
  assert.ok(pages[3]?.includes('drawn'), 'an SVG is kept as SVG')
  assert.ok(pages[4]?.includes('Source: Broken'))
  assert.ok(pages[5]?.includes('You may not view') && pages[5].includes('What the author wrote.'))
  assert.ok(links.includes('https://example.org/?a=1&b=2'))
  assert.ok(links.includes('https://figbase.example/r/id%20of%20Nets'))
  const sizes = images.split('\n').map((line) => line.split(/ +/).slice(3, 6).join(' '))
  assert.ok(sizes.includes('image 300 200'), images)
  assert.ok(sizes.includes('image 1750 1400'), 'a large picture is made smaller')
  assert.deepEqual(await readdir(temporary), [])
})

test('long text and long lines go on with the next page, and nothing is cut off', {
  skip: withoutChromium,
}, async () => {
  const words = Array.from({ length: 3000 }, (_, i) => `word${i}`)
  const lines = Array.from({ length: 150 }, (_, i) => `line${i}${'-'.repeat(2 * i)}end${i}`)
  const content = `${words.join(' ')}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``
  const figure = figureOf('Nets', { picture: png })
  const { pages } = await readPdf(await exported([{ content }, { content, figure }]))
  const text = pages.join('').replaceAll(/\s/g, '')
  for (const part of [...words, ...lines.map((_, i) => `end${i}`)]) {
    assert.ok(text.split(part).length >= 3, `${part} is on both slides`)
  }
})

test('a PDF with too many pages or bytes is refused', { skip: withoutChromium }, async () => {
  const shown = Array.from({ length: 5 }, (_, i) => ({ content: `Slide ${i}` }))
  assert.equal((await readPdf(await exported(shown, { pdfPagesMax: 5 }))).pages.length, 5)
  await assert.rejects(exported(shown, { pdfPagesMax: 4 }), refusal(/more than 4 pages/))
  await assert.rejects(exported(shown, { exportBytesMax: 1000 }), refusal(/more than 1000 bytes/))
  const figure = figureOf('Nets', { picture: png })
  await assert.rejects(exported([{ figure }], { exportBytesMax: 100 }), refusal(/more than 100 b/))
  assert.deepEqual(await readdir(temporary), [])
})

test('Chromium that takes too much memory is killed with all its processes', {
  skip: withoutChromium,
}, async () => {
  const chromium = await programOf('large', `exec ${pathOf(found)} "$@"`)
  const shown = [{ content: 'x' }]
  const tooMuch = exported(shown, { chromium, pdfMemoryBytesMax: 20 * mebibyte })
  await assert.rejects(tooMuch, refusal(/could not be made/))
  await areGone(await pidsOf('large'))
  assert.deepEqual(await readdir(temporary), [])
})

const pathOf = (one: Chromium | string) => (typeof one === 'string' ? '' : one.path)

// Its child ignores that its parent ends.
const hanging = 'sh -c \'echo $$ >> "$0"; trap "" TERM HUP INT; while :; do sleep 60; done\' '

test('Chromium that takes too long, or is cancelled, is killed with all its processes', {
  skip: process.platform !== 'linux' && 'needs Linux',
}, async () => {
  const program = (name: string) => programOf(name, `${hanging} ${pidFile(name)} & wait`)
  const tooLong = exported([], { chromium: await program('long'), exportTimeoutMs: 1000 })
  await assert.rejects(tooLong, refusal(/took too long/))
  await areGone(await pidsOf('long'))

  const cancel = new AbortController()
  const chromium = await program('cancelled')
  const cancelled = exported([], { chromium, signal: cancel.signal })
  await until(async () => (await pidsOf('cancelled')).length === 2, 'it does not start')
  cancel.abort()
  await assert.rejects(cancelled, { name: 'AbortError' })
  await areGone(await pidsOf('cancelled'))
  assert.deepEqual(await readdir(temporary), [])
})

test('without its sandbox, Chromium runs only with an account of its own or by a setting', {
  skip: withoutChromium,
}, async () => {
  const chromium = await programOf(
    'unconfined',
    `case "$*" in *--no-sandbox*) ;; *) echo no usable sandbox >&2; exit 1 ;; esac
    id -u > ${programs}/uid; exec ${pathOf(found)} "$@"`,
  )
  assert.equal((await readPdf(await exported([{ content: 'x' }], { chromium }))).pages.length, 1)
  assert.equal((await pidsOf('unconfined')).length, 2, 'the sandbox is tried first')
  const uid = Number(await readFile(join(programs, 'uid'), 'utf8'))
  const own = process.geteuid?.()
  assert.equal(uid !== own, own === 0, 'root never runs it as root')
  const required = findChromium({ ...chromium, sandboxRequired: true })
  assert.ok(typeof required !== 'string' && required.mayRunUnconfined === (own === 0))
})

test('Chromium that does not start fails the export, and its output is logged', {
  skip: process.platform !== 'linux' && 'needs Linux',
}, async () => {
  const chromium = await programOf('broken', 'echo libmissing.so >&2; exit 127')
  await assert.rejects(exported([], { chromium }), refusal(/Chromium.* did not start/))
  assert.match(JSON.stringify(warnings), /libmissing\.so/)
  assert.deepEqual(await readdir(temporary), [])
})

test('a server without Chromium refuses a PDF at once, after the permission', async () => {
  await using at = await start({ CHROMIUM_PATH: 'none' })
  const { id: storyId } = await at.create()
  const request = { storyId, format: ExportFormat.PDF }
  const { code, error } = await failureOf(at.stories.exportStory(request, ann))
  assert.deepEqual([code, error], [Code.Unimplemented, 'pdf_unavailable'])
  assert.equal((await failureOf(at.stories.exportStory(request, eve))).code, Code.PermissionDenied)
  for (const path of ['/does/not/exist', 'chromium', directory]) {
    assert.equal(typeof findChromium({ ...defaults.chromium, path }), 'string', path)
  }
  assert.equal(
    await exported([]).then(
      () => '',
      () => 'refused',
    ),
    typeof found === 'string' ? 'refused' : '',
  )
})
