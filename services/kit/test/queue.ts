import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type pg from 'pg'
import { createAfterCommit } from '../src/db/after-commit.js'
import { migrate } from '../src/db/migrate.js'
import { createDb, createPool } from '../src/db/pool.js'
import { transact } from '../src/db/transact.js'
import type { QueueDb } from '../src/jobs/claims.js'
import type { AnyJob } from '../src/jobs/index.js'
import { jobMigrations } from '../src/jobs/migrations.js'
import { cancelJob, type Enqueue, type EnqueueOptions, enqueueJob } from '../src/jobs/queue.js'
import { type JobRunner, startJobs } from '../src/jobs/run-jobs.js'
import { createLogger } from '../src/log.js'
import { Lifecycle } from '../src/service/index.js'
import { createTestDatabase } from '../src/testing/index.js'

const log = createLogger('test', 'silent')
const schema = 'things'

export type RunnerOptions = { concurrency?: number; leaseMs?: number; deadRetentionMs?: number }

/** Opens the queue of a database. */
export function openQueue(url: string) {
  const pool = createPool({ url, schema, connectionsMax: 10, log })
  const db = createDb<unknown>(pool)
  const jobPool = createPool({ url, schema, connectionsMax: 2, lastingPlans: true, log })
  const runners = new Set<JobRunner>()
  const { register, run: runAfterCommit } = createAfterCommit()
  const run = <T>(work: (tx: Transaction<unknown>) => Promise<T>) =>
    transact(db, work, undefined, runAfterCommit)
  const wake = () => {
    for (const runner of runners) runner.wake()
  }
  const enqueue: Enqueue = async (tx, job, payload, options) => {
    await enqueueJob(tx, job, payload, options)
    register(tx, wake)
  }
  return {
    db: db as QueueDb,
    migrate: () => migrate(pool, schema, jobMigrations),
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows
    },
    transact: run,
    enqueueIn: enqueue,
    /** Enqueues in its own transaction. */
    enqueue: <Payload>(job: AnyJob<object>, payload: Payload, options?: EnqueueOptions) =>
      run((tx) => enqueue(tx, job, payload, options)),
    cancel: (job: AnyJob<object>, key: string) => run((tx) => cancelJob(tx, job, key)),
    async start(jobs: AnyJob<object>[], options: RunnerOptions = {}): Promise<AsyncDisposable> {
      const { concurrency = 2, leaseMs = 5000, deadRetentionMs = 60_000 } = options
      const times = { concurrency, leaseMs, deadRetentionMs }
      const runner = await startJobs({ db: createDb(jobPool), ctx: {}, jobs, log, ...times })
      runners.add(runner)
      return {
        async [Symbol.asyncDispose]() {
          runners.delete(runner)
          await runner[Symbol.asyncDispose]()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await jobPool.end()
      await pool.end()
    },
  }
}

export type Queue = ReturnType<typeof openQueue>

/** A queue in a new database. */
export async function createQueue(): Promise<Queue> {
  const lifecycle = new Lifecycle()
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const queue = openQueue(database.url)
  lifecycle.onStop(() => queue[Symbol.asyncDispose]())
  await queue.migrate()
  return { ...queue, [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
}

// Generous timeout.
const waitMs = 60_000

/** Recorded items, in order; `waitForCount(n)` waits for `n` items. */
export function createRecord<T>() {
  const items: T[] = []
  const waiting = new Set<() => void>()
  return {
    items,
    add(item: T) {
      items.push(item)
      for (const look of waiting) look()
    },
    waitForCount: (count: number) =>
      new Promise<T[]>((resolve, reject) => {
        const give = (end: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          end()
        }
        const look = () => {
          if (items.length >= count) give(() => resolve(items))
        }
        const late = () => new Error(`${items.length} of ${count} were there, and no more came`)
        const timer = setTimeout(() => give(() => reject(late())), waitMs)
        waiting.add(look)
        look()
      }),
  }
}

/** Polls the database, because work of other processes emits no event. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

export const isEmpty = async ({ query }: Queue) => (await query('select from job')).length === 0
