import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../src/postgres/processes.js'
import { Bench, type Launched, postgresPid, until } from './support/launched.js'

const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

const stops: [string, (launched: Launched) => void][] = [
  ['SIGTERM', ({ pid }) => process.kill(pid, 'SIGTERM')],
  ['SIGINT', ({ pid }) => process.kill(pid, 'SIGINT')],
  ['Ctrl-C, sent to the whole process group', ({ pid }) => process.kill(-pid, 'SIGINT')],
  [
    'Ctrl-C below npm, which forwards it again',
    ({ pid }) => {
      process.kill(-pid, 'SIGINT')
      setTimeout(() => process.kill(pid, 'SIGINT'), 100)
    },
  ],
  ['SIGTERM to the whole group', ({ pid }) => process.kill(-pid, 'SIGTERM')],
]

const shared = bench.dir()

for (const [index, [name, stop]] of stops.entries()) {
  test(`${name}: requests in flight finish, PostgreSQL stops last`, async () => {
    const dataDir = await shared
    const launched = await bench.start({ dataDir })
    const { answer } = await launched.begin('/write?ms=600')
    stop(launched)
    assert.equal(await answer, String(index + 1))
    assert.equal(await launched.ended, 0)
    assert.match(launched.output, /product stopped/)
    assert.equal(await postgresPid(dataDir), undefined)
    assert.equal(existsSync(join(dataDir, 'url')), false)
  })
}

test('SHUTDOWN_TIMEOUT bounds requests in flight', async () => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env: { SHUTDOWN_TIMEOUT: '10ms' } })
  const { answer } = await launched.begin('/count?ms=8000')
  const cut = assert.rejects(answer)
  launched.child.kill('SIGTERM')
  await until(() => launched.output.includes('shutdown timed out after 0.01 s'), 'the timeout')
  await until(async () => (await postgresPid(dataDir)) === undefined, 'PostgreSQL to stop')
  launched.child.kill('SIGKILL')
  await cut
})

test('a second signal stops immediately, and PostgreSQL stops as well', async () => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir })
  const { answer } = await launched.begin('/count?ms=20000')
  const cut = assert.rejects(answer)
  launched.child.kill('SIGTERM')
  // Within a second it would count as a duplicate of the first.
  await sleep(1100)
  launched.child.kill('SIGTERM')
  assert.equal(await launched.ended, 143)
  await cut
  await until(async () => (await postgresPid(dataDir)) === undefined, 'PostgreSQL to stop')
})

test('the start after kill -9 recovers, and stops the orphaned server', async () => {
  const dataDir = await bench.dir()
  const first = await bench.start({ dataDir })
  assert.equal(await first.get('/write'), '1')
  const server = (await postgresPid(dataDir)) ?? 0
  first.child.kill('SIGKILL')
  await first.ended
  assert.ok(isAlive(server))

  const second = await bench.start({ dataDir })
  assert.equal(isAlive(server), false)
  assert.equal(await second.get('/write'), '2')
  assert.equal(await second.stop(), 0)
})

test('reports that PostgreSQL was killed; the next start has all committed data', async () => {
  const dataDir = await bench.dir()
  const first = await bench.start({ dataDir })
  assert.equal(await first.get('/write'), '1')
  process.kill((await postgresPid(dataDir)) ?? 0, 'SIGKILL')
  assert.equal(await first.ended, 1)
  assert.match(first.output, /PostgreSQL ended unexpectedly/)

  const second = await bench.start({ dataDir })
  const server = (await postgresPid(dataDir)) ?? 0
  assert.equal(await second.get('/write'), '2')
  second.child.kill('SIGKILL')
  process.kill(server, 'SIGKILL')
  await second.ended

  const third = await bench.start({ dataDir })
  assert.equal(await third.get('/count'), '2')
  assert.equal(await third.stop(), 0)
})

test('does not stop a process that reuses the pid of PostgreSQL', async () => {
  const dataDir = await bench.dir()
  const first = await bench.start({ dataDir })
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const pidFile = await readFile(file, 'utf8')
  assert.equal(await first.stop(), 0)
  await writeFile(file, pidFile.replace(/^\d+/, String(process.pid)))

  const second = await bench.start({ dataDir })
  assert.equal(await second.get('/count'), '0')
  assert.equal(await second.stop(), 0)
})
