import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defineJob } from '../src/jobs/index.js'
import { createTestDatabase } from '../src/testing/index.js'
import { isEmpty, openQueue, type Queue, until } from './queue.js'

const jobs = 1000
const processes = 3
const leaseMs = 5000
const takeoverMsMax = leaseMs + 5000

const job = defineJob<object, { n: number }>({
  name: 'effect',
  attemptsMax: 25,
  timeoutMs: 10_000,
  run: async () => {},
})

test('killed processes lose no job and repeat no effect', async (t) => {
  await using database = await createTestDatabase()
  await using queue = openQueue(database.url)
  await queue.migrate()
  await queue.query(
    'create table attempt (n int, pid int, at timestamptz default clock_timestamp())',
  )
  await queue.query('create table effect (n int constraint effect_pkey primary key)')
  await queue.query('create table total as select 0 as n')
  await queue.transact(async (tx) => {
    for (let n = 0; n < jobs; n++) await queue.enqueueIn(tx, job, { n })
  })
  const workers = new Set<ChildProcess>()
  const startWorker = async () => {
    const worker = fork(fileURLToPath(new URL('job-worker.js', import.meta.url)), {
      env: { ...process.env, DATABASE_URL: database.url },
    })
    workers.add(worker)
    await once(worker, 'message')
  }
  try {
    await Promise.all(Array.from({ length: processes }, startWorker))
    const takeovers: Promise<number>[] = []
    for (const done of [100, 250, 400, 550, 700, 850]) {
      await until(async () => (await count(queue, 'effect')) >= done)
      const [worker] = workers
      assert.ok(worker?.pid)
      const exit = once(worker, 'exit')
      worker.kill('SIGKILL')
      await exit
      workers.delete(worker)
      takeovers.push(timeTakeover(queue, worker.pid))
      await startWorker()
    }
    const times = (await Promise.all(takeovers)).filter((ms) => ms > 0)
    await until(() => isEmpty(queue))

    assert.equal(await count(queue, 'effect'), jobs)
    const [total] = await queue.query<{ n: number }>('select n from total')
    assert.equal(total?.n, jobs)
    const attempts = await count(queue, 'attempt')
    assert.ok(attempts > jobs, 'no process was killed while it ran a job')
    assert.ok(attempts <= jobs + 6 * 2 * 2, `${attempts} attempts`)
    const shown = times.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')
    t.diagnostic(`${attempts} attempts at ${jobs} jobs; taken over after ${shown}`)
    assert.ok(Math.max(...times) < takeoverMsMax, shown)
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
  }
})

async function count({ query }: Queue, table: string) {
  const [row] = await query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return row?.n ?? 0
}

/** Milliseconds from the kill of a process until its last job runs elsewhere; 0 if it had none. */
async function timeTakeover({ query }: Queue, pid: number) {
  const died = performance.now()
  const open = `select a.n from attempt a where a.pid = $1 and not exists (select from effect where n = a.n)
                   and not exists (select from attempt b where b.n = a.n and b.pid <> a.pid)`
  const held = await query(open, [pid])
  if (held.length === 0) return 0
  await until(async () => (await query(open, [pid])).length === 0)
  return performance.now() - died
}
