import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { PictureError } from '../src/images/picture.js'
import { createRenderPool } from '../src/images/render-pool.js'
import { configureSharp } from '../src/images/sharp.js'
import { eps, pdf } from './documents.js'
import { renderers, without } from './renderers.js'
import { ada, image, processed, publish, startBench, type, until } from './service.js'

const never = new AbortController().signal
const limits = {
  imagePixelsMax: 100_000_000,
  imageTimeoutMs: 30_000,
  renderConcurrency: 1,
  childMemoryBytesMax: 2 ** 30,
}
const drawings = createRenderPool(limits, renderers)
before(() => configureSharp())
after(() => drawings[Symbol.asyncDispose]())

/** The colours in the middle of the left and the right half. */
async function halves({ png, width, height }: { png: Buffer; width: number; height: number }) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number) => {
    const place = (Math.floor(height / 2) * info.width + Math.floor(x)) * info.channels
    return data.subarray(place, place + 3).toString('hex')
  }
  return { width, height, left: at(width / 4), right: at((3 * width) / 4) }
}

describe('a PDF', { skip: without('pdf') }, () => {
  const drawn = async (bytes: Buffer) => halves(await drawings.render('pdf', bytes, never))

  test('is rendered in the size of a thumbnail on white', async () => {
    const page = pdf('1 0 0 rg 0 0 150 200 re f')
    const expected = { width: 1024, height: 683, left: 'ff0000', right: 'ffffff' }
    assert.deepEqual(await drawn(page), expected)
  })

  test('is rendered in that size for a huge or tiny page', async () => {
    const large = await drawn(
      pdf('0 0 1 rg 0 0 7000000 9000000 re f', { box: '0 0 14000000 9000000' }),
    )
    assert.deepEqual([large.width, large.left, large.right], [1024, '0000ff', 'ffffff'])
    const hair = pdf('0 0 1 rg 0 0 10000 1 re f', { box: '0 0 10000 1' })
    const { width, height } = await drawn(hair)
    assert.deepEqual([width, height], [1024, 1])
  })

  test('is rejected if damaged or encrypted', async () => {
    for (const bytes of [Buffer.from('%PDF-1.7'), pdf('q').subarray(0, 100)]) {
      await assert.rejects(drawings.render('pdf', bytes, never), PictureError)
    }
  })
})

describe('an EPS', { skip: without('eps') }, () => {
  const drawn = async (bytes: Buffer) => halves(await drawings.render('eps', bytes, never))
  const expected = { width: 1024, height: 683, left: 'ff0000', right: 'ffffff' }
  const red = '1 0 0 setrgbcolor 100 100 150 200 rectfill'

  test('is rendered in the size of its bounding box, wherever that is', async () => {
    assert.deepEqual(await drawn(eps(`${red} showpage`, '100 100 400 300')), expected)
    const atEnd = `${red}\nshowpage\n%%Trailer\n%%BoundingBox: 100 100 400 300`
    assert.deepEqual(await drawn(eps(atEnd, '(atend)')), expected)
  })

  test('is rendered without showpage, and with a page size of its own', async () => {
    assert.deepEqual(await drawn(eps(red, '100 100 400 300')), expected)
    const paper = `<< /PageSize [5000 5000] >> setpagedevice 100 100 translate -100 -100 translate ${red}`
    const { width, height } = await drawn(eps(paper, '100 100 400 300'))
    assert.deepEqual([width, height], [1024, 683])
  })

  test('is rendered with a preview', async () => {
    const program = eps(red, '100 100 400 300')
    const header = Buffer.alloc(30)
    header.write('c5d0d3c6', 'hex')
    header.writeUInt32LE(30, 4)
    header.writeUInt32LE(program.length, 8)
    const file = Buffer.concat([header, program, Buffer.from('II*\0 a preview')])
    assert.deepEqual(await drawn(file), expected)
  })

  test('is rejected without a valid size', async () => {
    for (const box of ['', '(atend)', '0 0 0 0', '10 10 0 0', '1.2.3 0 9 9', '0 0 1e9 1']) {
      await assert.rejects(drawings.render('eps', eps('showpage', box), never), PictureError, box)
    }
  })
})

describe('a renderer', { skip: without('eps') }, () => {
  const endlessLoop = eps('{ } loop')

  /** The running renderer processes. */
  async function renderersAtWork() {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args='])
    return stdout
      .split('\n')
      .filter((line) => line.includes('-sDEVICE=png16m') && !line.includes('prlimit'))
      .map((line) => Number.parseInt(line, 10))
  }
  const atWork = (known: number[]) =>
    until(async () => (await renderersAtWork()).find((pid) => !known.includes(pid)))
  const isGone = (pid: number) => until(async () => !(await renderersAtWork()).includes(pid))

  test('is killed at the timeout, at an abort and at a stop', async () => {
    const limited = createRenderPool({ ...limits, imageTimeoutMs: 1000 }, renderers)
    await assert.rejects(limited.render('eps', endlessLoop, never), {
      message: 'processing the image timed out',
    })
    await limited[Symbol.asyncDispose]()
    const known = await renderersAtWork()
    const stop = new AbortController()
    const given = createRenderPool(limits, renderers)
    const cut = assert.rejects(given.render('eps', endlessLoop, stop.signal), {
      name: 'AbortError',
    })
    const first = await atWork(known)
    stop.abort(new Error('enough'))
    await cut
    await isGone(first)
    const ended = assert.rejects(given.render('eps', endlessLoop, never), PictureError)
    const second = await atWork(known)
    await given[Symbol.asyncDispose]()
    await ended
    await isGone(second)
  })

  test('ends with its parent process, also when that is killed', async () => {
    const module = new URL('../src/images/render-pool.js', import.meta.url)
    const program = `
      const { createRenderPool } = await import(${JSON.stringify(module.href)})
      const drawings = createRenderPool(${JSON.stringify(limits)}, ${JSON.stringify(renderers)})
      drawings.render('eps', Buffer.from(${JSON.stringify(endlessLoop.toString())}), new AbortController().signal)`
    const known = await renderersAtWork()
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
    const pid = await atWork(known)
    parent.kill('SIGKILL')
    await isGone(pid)
  })

  test('has limits, and none of our settings', async (t) => {
    if (process.platform !== 'linux') return t.skip('there is no /proc')
    process.env.FIGBASE_SECRET_KEY = 'a secret'
    await using given = createRenderPool(limits, renderers)
    const known = await renderersAtWork()
    const stop = new AbortController()
    const cut = assert.rejects(given.render('eps', endlessLoop, stop.signal))
    const pid = await atWork(known)
    delete process.env.FIGBASE_SECRET_KEY
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    const bounds = await readFile(`/proc/${pid}/limits`, 'latin1')
    stop.abort()
    await cut
    assert.ok(!environment.includes('SECRET'))
    if (!renderers.prlimit) return t.skip('prlimit (util-linux) is not installed')
    assert.match(bounds, /Max address space +1073741824 /)
    assert.match(bounds, /Max cpu time +30 /)
    assert.match(bounds, /Max file size +67108864 /)
  })
})

test('documents get thumbnails where the programs are installed, and no error elsewhere', async () => {
  const document = { pdf: pdf('1 0 0 rg 0 0 150 200 re f'), eps: eps('0 0 100 100 rectfill') }
  await using bench = await startBench('local', { RENDERERS_PATH: '/nonexistent' })
  for (const format of ['pdf', 'eps'] as const) {
    const { id } = await publish(bench, [image(document[format], { format })])
    const { data, hasThumbnail } = await processed(bench, id)
    const reason = `rendering ${format.toUpperCase()} images is not supported by this server`
    assert.deepEqual([hasThumbnail, data[0]?.processingError], [false, reason])
    const { png } = await bench.client.readThumbnail({ revisionId: id, type }, ada)
    assert.equal(png.length, 0)
  }
})

for (const format of ['pdf', 'eps'] as const) {
  test(`a revision with only a ${format} has a thumbnail`, {
    skip: without(format),
  }, async () => {
    await using bench = await startBench()
    const bytes = format === 'pdf' ? pdf('0 0 99 99 re f') : eps('0 0 99 99 rectfill')
    const { id } = await publish(bench, [image(bytes, { format: format.toUpperCase() })])
    const { data, hasThumbnail } = await processed(bench, id)
    assert.deepEqual([hasThumbnail, data[0]?.processingError], [true, undefined])
    const { png } = await bench.client.readThumbnail({ revisionId: id, type, sizePx: 128 }, ada)
    const { format: shown, width } = await sharp(png).metadata()
    assert.deepEqual([shown, width], ['png', 128])
  })
}
