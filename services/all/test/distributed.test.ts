import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isAlive } from '../src/postgres/processes.js'
import { Bench, postgresPid, until } from './support/launched.js'

const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

const start = async () => bench.start({ dataDir: await bench.dir(), args: ['--distributed'] })

test('Ctrl-C stops the gateway, then the services, then PostgreSQL', async () => {
  const launched = await start()
  const service = await launched.get('/peer')
  const { answer } = await launched.begin('/peer?ms=600')
  process.kill(-launched.pid, 'SIGINT')
  assert.equal(await answer, service)
  assert.equal(await launched.ended, 0)
  assert.match(launched.output, /gateway stopped\nservice stopped/)
  assert.equal(isAlive(Number(service)), false)
  assert.equal(await postgresPid(launched.options.dataDir), undefined)
})

test('a process that dies stops all others, with the reason', async () => {
  const launched = await start()
  const gateway = Number(await launched.get('/pid'))
  await launched.get('/kill-peer').catch(() => {})
  assert.equal(await launched.ended, 1)
  assert.match(launched.output, /the identity process ended unexpectedly \(exit code 3\)/)
  assert.equal(isAlive(gateway), false)
  assert.equal(await postgresPid(launched.options.dataDir), undefined)
})

test('child processes end when the launcher is killed', async () => {
  const launched = await start()
  const pids = [await launched.get('/pid'), await launched.get('/peer')].map(Number)
  launched.child.kill('SIGKILL')
  await until(() => pids.every((pid) => !isAlive(pid)), 'the processes to end')
})
