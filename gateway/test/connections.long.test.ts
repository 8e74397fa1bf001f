// Only in `npm run test:long`: it waits for the default limits.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { answersOthers, startAbused } from './abuse.js'
import type { FloodReport } from './connection-flood.js'
import { pause } from './wire.js'

const count = 10_000
const defaults = {
  BODY_IDLE_TIMEOUT: '',
  BODY_RATE_WINDOW: '',
  BODY_BYTES_PER_SECOND_MIN: '',
}
const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** A process with many open connections, and what it has observed since. */
async function startFlood(port: number) {
  const child = fork(new URL('connection-flood.js', import.meta.url), [String(port), String(count)])
  const seen: FloodReport = { opened: 0, closed: 0 }
  child.on('message', (report: FloodReport) => Object.assign(seen, report))
  await once(child, 'message')
  return { seen, [Symbol.dispose]: () => void child.kill() }
}

test('serves others during ten thousand stalled connections, and closes all of these', async (t) => {
  await using edge = await startAbused(defaults)
  const before = process.memoryUsage().rss
  const flood = await startFlood(edge.port)
  try {
    assert.equal(flood.seen.opened, count)
    let slowestMs = 0
    const started = performance.now()
    while (flood.seen.closed < count && performance.now() - started < 90_000) {
      const asked = performance.now()
      await answersOthers(edge.port)
      slowestMs = Math.max(slowestMs, performance.now() - asked)
      await pause(50)
    }
    const grown = process.memoryUsage().rss - before
    assert.equal(flood.seen.closed, count)
    const seconds = Math.round((performance.now() - started) / 1000)
    t.diagnostic(`all closed after ${seconds} s; ${mebibytes(grown)} MiB of memory`)
    t.diagnostic(`slowest response to others: ${Math.round(slowestMs)} ms`)
    assert.ok(grown < 2 ** 30)
  } finally {
    flood[Symbol.dispose]()
  }
})

test('closes connections above the limit at once, and accepts new ones later', async (t) => {
  await using edge = await startAbused({ ...defaults, CONNECTIONS_MAX: '1000' })
  const flood = await startFlood(edge.port)
  try {
    await pause(1000)
    assert.ok(flood.seen.closed >= count - 1000, `${flood.seen.closed} were closed`)
    const started = performance.now()
    // The first connections use up the limit until they time out.
    while (!(await isAnswered(edge.port)) && performance.now() - started < 60_000) await pause(250)
    await answersOthers(edge.port)
    t.diagnostic(
      `accepts connections again after ${Math.round((performance.now() - started) / 1000)} s`,
    )
  } finally {
    flood[Symbol.dispose]()
  }
})

const isAnswered = (port: number) =>
  answersOthers(port).then(
    () => true,
    () => false,
  )
