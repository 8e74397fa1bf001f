// Not for every run (`npm run test:long`): it waits for the limits as they are by default.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { answersOthers, startAbused } from './abuse.js'
import type { CrowdReport } from './crowd.js'
import { pause } from './wire.js'

const count = 10_000
const defaults = {
  BODY_IDLE_TIMEOUT: '',
  BODY_RATE_WINDOW: '',
  BODY_BYTES_PER_SECOND_MIN: '',
}
const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** A crowd that has opened its connections, and what it has seen since. */
async function startCrowd(port: number) {
  const child = fork(new URL('crowd.js', import.meta.url), [String(port), String(count)])
  const seen: CrowdReport = { opened: 0, closed: 0 }
  child.on('message', (report: CrowdReport) => Object.assign(seen, report))
  await once(child, 'message')
  return { seen, [Symbol.dispose]: () => void child.kill() }
}

test('ten thousand connections that stop midway: others are answered, all are let go', async (t) => {
  await using edge = await startAbused(defaults)
  const before = process.memoryUsage().rss
  const crowd = await startCrowd(edge.port)
  try {
    assert.equal(crowd.seen.opened, count)
    let slowestMs = 0
    const started = performance.now()
    while (crowd.seen.closed < count && performance.now() - started < 90_000) {
      const asked = performance.now()
      await answersOthers(edge.port)
      slowestMs = Math.max(slowestMs, performance.now() - asked)
      await pause(50)
    }
    const grown = process.memoryUsage().rss - before
    assert.equal(crowd.seen.closed, count)
    const seconds = Math.round((performance.now() - started) / 1000)
    t.diagnostic(`all closed after ${seconds} s; ${mebibytes(grown)} MiB of memory`)
    t.diagnostic(`the slowest answer to others took ${Math.round(slowestMs)} ms`)
    assert.ok(grown < 2 ** 30)
  } finally {
    crowd[Symbol.dispose]()
  }
})

test('more connections than there may be: closed at once, room comes back by itself', async (t) => {
  await using edge = await startAbused({ ...defaults, CONNECTIONS_MAX: '1000' })
  const crowd = await startCrowd(edge.port)
  try {
    await pause(1000)
    assert.ok(crowd.seen.closed >= count - 1000, `${crowd.seen.closed} were closed`)
    const started = performance.now()
    // Those that were first hold all places until a limit on time ends them.
    while (!(await isAnswered(edge.port)) && performance.now() - started < 60_000) await pause(250)
    await answersOthers(edge.port)
    t.diagnostic(`room again after ${Math.round((performance.now() - started) / 1000)} s`)
  } finally {
    crowd[Symbol.dispose]()
  }
})

const isAnswered = (port: number) =>
  answersOthers(port).then(
    () => true,
    () => false,
  )
