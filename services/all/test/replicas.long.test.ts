import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { Author, program } from './support/author.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** The processes of a service that this launcher started. */
async function processesOf(launcher: number, service: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const parent = / \S (\d+) /.exec((await read('stat')).replace(/^.*\)/, ''))?.[1]
    const isOurs = (await read('cmdline')).includes(`/services/${service}/dist/`)
    if (isOurs && Number(parent) === launcher) found.push(Number(pid))
  }
  return found
}

test('no read fails when a replica is killed, and the launcher restarts it', {
  skip: process.platform === 'linux' ? false : 'finds processes in /proc',
}, async () => {
  const env = { FIGBASE_REPLICAS: '2', DATABASE_CONNECTIONS_MAX: '4', LOG_LEVEL: 'fatal' }
  const launched = await bench.start({ dataDir: await bench.dir(), args: ['--distributed'], env })
  const author = new Author(launched)
  await author.signUp()
  const figure = await author.newFigure()

  let isOver = false
  let reads = 0
  const failures: string[] = []
  const reader = async () => {
    while (!isOver) {
      const response = await author.request('GET', `figure/${figure}/`)
      const text = await response.text()
      if (response.ok) reads++
      else failures.push(`${response.status} ${text}`)
    }
  }
  const readers = Array.from({ length: 4 }, reader)
  const readsMore = async (count: number) => {
    const from = reads
    await until(() => reads >= from + count || failures.length > 0, `${count} reads`)
  }
  for (let round = 0; round < 2; round++) {
    await readsMore(50)
    const before = await processesOf(launched.pid, 'catalog')
    assert.equal(before.length, 2)
    const [victim = 0] = before
    process.kill(victim, 'SIGKILL')
    await readsMore(50)
    const isBack = () =>
      launched.output.split('the catalog process was restarted').length > round + 1
    await until(isBack, 'the replica to be restarted')
  }
  await readsMore(50)
  isOver = true
  await Promise.all(readers)
  assert.deepEqual(failures, [])
  assert.match(launched.output, /the catalog process ended unexpectedly \(SIGKILL\): restarting it/)
  assert.equal(await launched.stop(), 0)
})
