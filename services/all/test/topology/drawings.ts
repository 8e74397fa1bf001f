import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { isAlive } from '../../src/postgres/processes.js'
import { Author, program } from '../author.js'
import { Bench, type Launched, until } from '../launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const nested = Array.from({ length: 6 }, (_, n) =>
  n === 0
    ? '<g id="g0"><rect width="1000" height="1000" fill="red" opacity=".5"/></g>'
    : `<g id="g${n}">${`<use xlink:href="#g${n - 1}"/>`.repeat(8)}</g>`,
)
/** It takes minutes to draw. */
const busy = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="1000" height="1000">${nested.join('')}</svg>`

/** The processes below this one that draw. */
async function drawersOf(root: number): Promise<number[]> {
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
    .filter(({ pid, command }) => below.has(pid) && command.includes('drawing-program'))
    .map(({ pid }) => pid)
}

async function drawersAtWork({ pid }: Launched): Promise<number[]> {
  let drawers: number[] = []
  await until(async () => {
    drawers = await drawersOf(pid)
    return drawers.length > 0
  }, 'a process that draws')
  return drawers
}

export function testDrawings(args: string[]): void {
  const topology = args[0] ?? 'all-in-one'

  test(`${topology}: a drawing outlives neither kill -9 nor a stop, and the next start resumes it`, async () => {
    const options = { dataDir: await bench.dir(), args, env: { LOG_LEVEL: 'fatal' } }
    const killed = await bench.start(options)
    const author = new Author(killed)
    await author.signUp()
    const data = [{ name: 'drawing', type: 'image', data: Buffer.from(busy).toString('base64') }]
    await author.json('POST', 'revision/', { figure: await author.newFigure(), data })
    const first = await drawersAtWork(killed)
    killed.child.kill('SIGKILL')
    await until(() => !first.some(isAlive), 'the end of the drawing')

    const stopped = await bench.start(options)
    const second = await drawersAtWork(stopped)
    const started = performance.now()
    assert.equal(await stopped.stop(), 0)
    assert.ok(performance.now() - started < 15_000)
    assert.ok(!second.some(isAlive))
  })
}
