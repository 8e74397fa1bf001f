import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createDrawings } from '../src/images/drawings.js'
import { PictureError } from '../src/images/picture.js'
import { image, processed, publish, startBench, until } from './service.js'

const limits = {
  imagePixelsMax: 100_000_000,
  imageTimeoutMs: 60_000,
  drawingsAtATime: 2,
  drawingMemoryBytesMax: 2 ** 30,
}
const never = new AbortController().signal
const svg = (inner: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
      width="1000" height="1000">${inner}</svg>`,
  )
const square = svg('<rect width="500" height="1000" fill="teal"/>')
/** It takes minutes: each group draws the one before eight times. */
const busy = svg(
  Array.from({ length: 6 }, (_, n) =>
    n === 0
      ? '<g id="g0"><rect width="1000" height="1000" fill="red" opacity=".5"/></g>'
      : `<g id="g${n}">${`<use xlink:href="#g${n - 1}"/>`.repeat(8)}</g>`,
  ).join(''),
)

/** The processes that draw for this one, or for another. */
async function drawers(parent = process.pid): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout
    .split('\n')
    .filter((line) => line.includes('drawing-program'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a drawing that takes too long is ended in time, and the next one is drawn', async () => {
  await using drawings = createDrawings({ ...limits, drawingsAtATime: 1, imageTimeoutMs: 2000 }, {})
  const started = performance.now()
  const late = drawings.draw('svg', busy, never)
  const next = drawings.draw('svg', square, never)
  await assert.rejects(late, { name: 'PictureError', message: 'the image took too long to read' })
  const { width, height } = await next
  assert.deepEqual([width, height], [1024, 1024])
  assert.ok(performance.now() - started < 10_000)
  assert.equal((await drawers()).length, 1)
})

test('a process that is killed in the middle costs its drawing, no other', async () => {
  await using drawings = createDrawings({ ...limits, drawingsAtATime: 1 }, {})
  await drawings.draw('svg', square, never)
  const lost = drawings.draw('svg', busy, never)
  const next = drawings.draw('svg', square, never)
  await setImmediate()
  for (const pid of await drawers()) process.kill(pid, 'SIGSEGV')
  await assert.rejects(lost, { name: 'PictureError', message: 'the image could not be drawn' })
  assert.equal((await next).width, 1024)
})

test('drawings that come at once are all drawn, by as many processes as may be', async () => {
  await using drawings = createDrawings(limits, {})
  const drawn = await Promise.all(
    Array.from({ length: 7 }, () => drawings.draw('svg', square, never)),
  )
  assert.ok(drawn.every(({ png }) => drawn[0]?.png.equals(png)))
  assert.equal((await drawers()).length, 2)
})

test('the end of the drawings leaves no process, idle or at work', async () => {
  const drawings = createDrawings(limits, {})
  const stop = new AbortController()
  await Promise.all([drawings.draw('svg', square, never), drawings.draw('svg', square, never)])
  const pids = await drawers()
  const cut = [busy, busy, busy].map((each) => drawings.draw('svg', each, stop.signal))
  stop.abort(new Error('stopping'))
  for (const one of cut) {
    await assert.rejects(one, (error) => !(error instanceof PictureError))
  }
  await drawings.draw('svg', square, never)
  pids.push(...(await drawers()))
  await drawings[Symbol.asyncDispose]()
  assert.deepEqual(pids.filter(isRunning), [])
})

test('a drawing that takes too much memory is ended', async () => {
  await using drawings = createDrawings({ ...limits, drawingMemoryBytesMax: 2 ** 20 }, {})
  await assert.rejects(drawings.draw('svg', busy, never), {
    message: 'the image could not be drawn',
  })
})

test('the process that draws knows nothing of our settings', async (t) => {
  if (process.platform !== 'linux') return t.skip('there is no /proc')
  process.env.FIGBASE_SECRET_KEY = 'a secret'
  await using drawings = createDrawings(limits, {})
  await drawings.draw('svg', square, never)
  delete process.env.FIGBASE_SECRET_KEY
  const [pid] = await drawers()
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
  assert.ok(!environment.includes('SECRET'))
})

test('it ends with its parent, also when that is killed', async () => {
  const module = new URL('../src/images/drawings.js', import.meta.url)
  const program = `
    const { createDrawings } = await import(${JSON.stringify(module.href)})
    const drawings = createDrawings(${JSON.stringify(limits)}, {})
    const never = new AbortController().signal
    await drawings.draw('svg', Buffer.from(${JSON.stringify(square.toString())}), never)
    drawings.draw('svg', Buffer.from(${JSON.stringify(busy.toString())}), never)
    console.log('at work')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')
  const [drawer = 0] = await drawers(parent.pid)
  assert.ok(isRunning(drawer))
  parent.kill('SIGKILL')
  await until(async () => !isRunning(drawer))
})

test('a parent that has nothing left to do ends though its process is idle', async () => {
  const module = new URL('../src/images/drawings.js', import.meta.url)
  const program = `
    const { createDrawings } = await import(${JSON.stringify(module.href)})
    const drawings = createDrawings(${JSON.stringify(limits)}, {})
    await drawings.draw('svg', Buffer.from(${JSON.stringify(square.toString())}), new AbortController().signal)`
  const started = performance.now()
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
  assert.deepEqual(await once(parent, 'exit'), [0, null])
  assert.ok(performance.now() - started < 20_000)
})

test('a revision with a drawing that takes too long says so, and the next has its thumbnail', async () => {
  await using bench = await startBench('local', { IMAGE_TIMEOUT: '2s' })
  const late = await publish(bench, [image(busy, { format: 'svg' })])
  const next = await publish(bench, [image(square, { format: 'svg' })])
  const { data } = await processed(bench, late.id)
  assert.equal(data[0]?.processingError, 'the image took too long to read')
  assert.ok((await processed(bench, next.id)).imageHash)
})

test('a stop waits for no drawing, and leaves no process', async () => {
  const bench = await startBench()
  await publish(bench, [image(busy, { format: 'svg' })])
  await until(async () => (await drawers()).length > 0)
  const pids = await drawers()
  const started = performance.now()
  await bench[Symbol.asyncDispose]()
  assert.ok(performance.now() - started < 10_000)
  assert.deepEqual(pids.filter(isRunning), [])
})
