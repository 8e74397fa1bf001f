import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '../src/processes/index.js'
import type { BusyRequest } from './busy-program.js'

const path = fileURLToPath(new URL('./busy-program.js', import.meta.url))
const { signal } = new AbortController()
const mebibyte = 2 ** 20

const poolWith = (timeoutMs: number) =>
  createProcessPool<BusyRequest, { pid: number }>({
    path,
    options: { memoryBytesMax: 300 * mebibyte },
    concurrency: 1,
    timeoutMs,
  })

test('a child that exceeds its memory in synchronous work is killed, and the next one responds', async () => {
  await using pool = poolWith(60_000)
  const begin = Date.now()
  const tooMuch = pool.ask({ bytes: 500 * mebibyte, ms: 50_000 }, signal)
  await assert.rejects(tooMuch, ChildExited)
  assert.ok(Date.now() - begin < 40_000, 'before its work ended')
  assert.ok((await pool.ask({ bytes: mebibyte, ms: 0 }, signal)).pid > 0)
})

test('a child that takes too long in synchronous work is killed', async () => {
  await using pool = poolWith(500)
  await assert.rejects(pool.ask({ bytes: 0, ms: 30_000 }, signal), ChildTimedOut)
})

test('a child in synchronous work is killed with its parent', {
  skip: existsSync('/proc/self/stat') ? false : 'there is no /proc',
}, async () => {
  const module = new URL('../src/processes/child.js', import.meta.url).href
  const program = `
    const { startChild } = await import(${JSON.stringify(module)})
    const { signal } = new AbortController()
    const program = { path: ${JSON.stringify(path)}, options: { memoryBytesMax: 2 ** 29 } }
    const child = await startChild(program, signal)
    const { pid } = await child.ask({ bytes: 0, ms: 0 }, 10_000, signal)
    void child.ask({ bytes: 0, ms: 600_000 }, 600_000, signal)
    process.stdout.write(String(pid))
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
  const [pid] = await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  // A zombie, where nothing reaps orphans, is not alive.
  const isAlive = () =>
    readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => !stat.includes(') Z'),
      () => false,
    )
  for (const end = Date.now() + 30_000; await isAlive(); await delay(20)) {
    assert.ok(Date.now() < end, 'the child is alive')
  }
})
