import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PictureError } from '../src/images/picture.js'
import { createRenderPool } from '../src/images/render-pool.js'
import { image, processed, publish, startBench, until } from './service.js'

const limits = {
  imagePixelsMax: 100_000_000,
  imageTimeoutMs: 60_000,
  renderConcurrency: 2,
  childMemoryBytesMax: 2 ** 30,
}
const never = new AbortController().signal
const svg = (inner: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
      width="1000" height="1000">${inner}</svg>`,
  )
const square = svg('<rect width="500" height="1000" fill="teal"/>')
/** An SVG that takes minutes: each group draws the previous one eight times. */
const busy = svg(
  Array.from({ length: 6 }, (_, n) =>
    n === 0
      ? '<g id="g0"><rect width="1000" height="1000" fill="red" opacity=".5"/></g>'
      : `<g id="g${n}">${`<use xlink:href="#g${n - 1}"/>`.repeat(8)}</g>`,
  ).join(''),
)

/** The rendering processes of this process, or of another. */
async function renderProcesses(parent = process.pid): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout
    .split('\n')
    .filter((line) => line.includes('render-program'))
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

test('a slow rendering is stopped in time, and the next one succeeds', async () => {
  await using pool = createRenderPool({ ...limits, renderConcurrency: 1, imageTimeoutMs: 2000 }, {})
  const started = performance.now()
  const slow = pool.render('svg', busy, never)
  const next = pool.render('svg', square, never)
  await assert.rejects(slow, { name: 'PictureError', message: 'processing the image timed out' })
  const { width, height } = await next
  assert.deepEqual([width, height], [1024, 1024])
  assert.ok(performance.now() - started < 10_000)
  assert.equal((await renderProcesses()).length, 1)
})

test('a killed process fails only its own rendering', async () => {
  await using pool = createRenderPool({ ...limits, renderConcurrency: 1 }, {})
  await pool.render('svg', square, never)
  const lost = pool.render('svg', busy, never)
  const next = pool.render('svg', square, never)
  await setImmediate()
  for (const pid of await renderProcesses()) process.kill(pid, 'SIGSEGV')
  await assert.rejects(lost, { name: 'PictureError', message: 'the image could not be rendered' })
  assert.equal((await next).width, 1024)
})

test('concurrent renderings use at most the allowed number of processes', async () => {
  await using pool = createRenderPool(limits, {})
  const drawn = await Promise.all(
    Array.from({ length: 7 }, () => pool.render('svg', square, never)),
  )
  assert.ok(drawn.every(({ png }) => drawn[0]?.png.equals(png)))
  assert.equal((await renderProcesses()).length, 2)
})

test('closing the pool leaves no process, idle or busy', async () => {
  const pool = createRenderPool(limits, {})
  const stop = new AbortController()
  await Promise.all([pool.render('svg', square, never), pool.render('svg', square, never)])
  const pids = await renderProcesses()
  const cut = [busy, busy, busy].map((each) => pool.render('svg', each, stop.signal))
  stop.abort(new Error('stopping'))
  for (const one of cut) {
    await assert.rejects(one, (error) => !(error instanceof PictureError))
  }
  await pool.render('svg', square, never)
  pids.push(...(await renderProcesses()))
  await pool[Symbol.asyncDispose]()
  assert.deepEqual(pids.filter(isRunning), [])
})

test('a rendering that takes too much memory is killed', async () => {
  await using pool = createRenderPool({ ...limits, childMemoryBytesMax: 2 ** 20 }, {})
  await assert.rejects(pool.render('svg', busy, never), {
    message: 'the image could not be rendered',
  })
})

test('the rendering process has none of our settings', async (t) => {
  if (process.platform !== 'linux') return t.skip('there is no /proc')
  process.env.FIGBASE_SECRET_KEY = 'a secret'
  await using pool = createRenderPool(limits, {})
  await pool.render('svg', square, never)
  delete process.env.FIGBASE_SECRET_KEY
  const [pid] = await renderProcesses()
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
  assert.ok(!environment.includes('SECRET'))
})

test('it ends with its parent, also when that is killed', async () => {
  const module = new URL('../src/images/render-pool.js', import.meta.url)
  const program = `
    const { createRenderPool } = await import(${JSON.stringify(module.href)})
    const pool = createRenderPool(${JSON.stringify(limits)}, {})
    const never = new AbortController().signal
    await pool.render('svg', Buffer.from(${JSON.stringify(square.toString())}), never)
    pool.render('svg', Buffer.from(${JSON.stringify(busy.toString())}), never)
    console.log('at work')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')
  const [drawer = 0] = await renderProcesses(parent.pid)
  assert.ok(isRunning(drawer))
  parent.kill('SIGKILL')
  await until(async () => !isRunning(drawer))
})

test('an idle process does not keep its parent alive', async () => {
  const module = new URL('../src/images/render-pool.js', import.meta.url)
  const program = `
    const { createRenderPool } = await import(${JSON.stringify(module.href)})
    const pool = createRenderPool(${JSON.stringify(limits)}, {})
    await pool.render('svg', Buffer.from(${JSON.stringify(square.toString())}), new AbortController().signal)`
  const started = performance.now()
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
  assert.deepEqual(await once(parent, 'exit'), [0, null])
  assert.ok(performance.now() - started < 20_000)
})

test('a revision with a slow image has a reason, and the next one has a thumbnail', async () => {
  await using bench = await startBench('local', { IMAGE_TIMEOUT: '2s' })
  const slow = await publish(bench, [image(busy, { format: 'svg' })])
  const next = await publish(bench, [image(square, { format: 'svg' })])
  const { data } = await processed(bench, slow.id)
  assert.equal(data[0]?.processingError, 'processing the image timed out')
  assert.ok((await processed(bench, next.id)).imageHash)
})

test('a stop does not wait for renderings, and leaves no process', async () => {
  const bench = await startBench()
  await publish(bench, [image(busy, { format: 'svg' })])
  await until(async () => (await renderProcesses()).length > 0)
  const pids = await renderProcesses()
  const started = performance.now()
  await bench[Symbol.asyncDispose]()
  assert.ok(performance.now() - started < 10_000)
  assert.deepEqual(pids.filter(isRunning), [])
})
