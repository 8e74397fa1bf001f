import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { isAlive } from '../../../src/postgres/processes.js'
import { Author, program } from '../author.js'
import { Bench, type Launched, until } from '../launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const nested = Array.from({ length: 6 }, (_, n) =>
  n === 0
    ? '<g id="g0"><rect width="1000" height="1000" fill="red" opacity=".5"/></g>'
    : `<g id="g${n}">${`<use xlink:href="#g${n - 1}"/>`.repeat(8)}</g>`,
)
/** Takes minutes to render. */
const busy = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="1000" height="1000">${nested.join('')}</svg>`

/** The descendant processes that render. */
async function renderersOf(root: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  const processes = stdout.split('\n').map((line) => {
    const [, pid = '0', parent = '0', command = ''] = /^ *(\d+) +(\d+) +(.*)$/.exec(line) ?? []
    return { pid: Number(pid), parent: Number(parent), command }
  })
  const below = new Set([root])
  for (let known = 0; known < below.size; ) {
    known = below.size
    for (const { pid, parent } of processes) if (below.has(parent)) below.add(pid)
  }
  return processes
    .filter(({ pid, command }) => below.has(pid) && command.includes('render-program'))
    .map(({ pid }) => pid)
}

async function waitForRenderers({ pid }: Launched): Promise<number[]> {
  let renderers: number[] = []
  await until(async () => {
    renderers = await renderersOf(pid)
    return renderers.length > 0
  }, 'a rendering process')
  return renderers
}

export function testDrawings(args: string[]): void {
  const topology = args[0] ?? 'all-in-one'

  test(`${topology}: rendering ends with kill -9 or a stop, and resumes at the next start`, async () => {
    const options = { dataDir: await bench.dir(), args, env: { LOG_LEVEL: 'fatal' } }
    const killed = await bench.start(options)
    const author = new Author(killed)
    await author.signUp()
    const data = [{ name: 'drawing', type: 'image', data: Buffer.from(busy).toString('base64') }]
    await author.json('POST', 'revision/', { figure: await author.newFigure(), data })
    const first = await waitForRenderers(killed)
    killed.child.kill('SIGKILL')
    await until(() => !first.some(isAlive), 'the rendering to end')

    const stopped = await bench.start(options)
    const second = await waitForRenderers(stopped)
    const started = performance.now()
    assert.equal(await stopped.stop(), 0)
    assert.ok(performance.now() - started < 15_000)
    assert.ok(!second.some(isAlive))
  })
}
