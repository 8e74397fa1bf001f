import {
  Logger as GraphileLogger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
} from 'graphile-worker'
import { type QueryExecutorProvider, sql } from 'kysely'
import type pg from 'pg'
import type { FailPoint } from '../fail-points.js'
import type { Logger } from '../log.js'
import { takeOverJobs } from './job-takeover.js'
import { queueSchema } from './queue-schema.js'

/** A background job: retried with backoff until it succeeds or its attempts are used up. */
export type Job<Ctx, Payload> = {
  name: string
  attemptsMax: number
  run(ctx: Ctx, payload: Payload, signal: AbortSignal): Promise<void>
}

// The payload's type matters where a job is defined and enqueued, not where jobs are listed.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyJob<Ctx> = Job<Ctx, any>

export function defineJob<Ctx, Payload>(job: Job<Ctx, Payload>): Job<Ctx, Payload> {
  return job
}

/** Enqueues in the transaction of the write that wants the job: no row without its job. */
export type Enqueue = <Payload>(
  tx: QueryExecutorProvider,
  job: { name: string; attemptsMax: number },
  payload: Payload,
  options?: { key?: string },
) => Promise<void>

const taskName = (service: string, job: string) => `${service}.${job}`

export function enqueueFor(service: string): Enqueue {
  const addJob = sql.id(queueSchema, 'add_job')
  return async (tx, job, payload, { key } = {}) => {
    const jobKey = key === undefined ? null : taskName(service, key)
    await sql`select ${addJob}(${taskName(service, job.name)}, payload => ${JSON.stringify(payload)}::json,
      max_attempts => ${job.attemptsMax}::int, job_key => ${jobKey}::text)`.execute(tx)
  }
}

export type JobsOptions<Ctx> = {
  service: string
  /** With node-postgres' own types, which the worker relies on. */
  pool: pg.Pool
  ctx: Ctx
  jobs: AnyJob<Ctx>[]
  concurrency: number
  log: Logger
  failPoint?: FailPoint
}

/** Prepares the queue's own tables; enqueueing works from then on. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, schema: queueSchema })
}

/** Works on the queue until disposed: then running jobs see their signal, and are waited for. */
export async function startJobs<Ctx>(options: JobsOptions<Ctx>): Promise<AsyncDisposable> {
  const { service, pool, ctx, jobs, concurrency, log, failPoint } = options
  const atWork = await takeOverJobs(pool, service)
  const stopping = new AbortController()
  const taskList: TaskList = {}
  for (const job of jobs) {
    taskList[taskName(service, job.name)] = async (payload, helpers) => {
      const { attempts, max_attempts: attemptsMax } = helpers.job
      try {
        failPoint?.(`${job.name}.before`)
        await job.run(ctx, payload, stopping.signal)
        failPoint?.(`${job.name}.after`)
      } catch (err) {
        log.warn({ err, job: job.name, attempts, attemptsMax }, 'a job failed')
        throw err
      }
    }
  }
  const runner: Runner = await run({
    pgPool: pool,
    schema: queueSchema,
    taskList,
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    parsedCronItems: parseCronItems([]),
    logger: quietLogger(log),
  })
  let ended = false
  const onEnd = (err?: unknown) => {
    ended = true
    if (!stopping.signal.aborted) log.error({ err }, 'the worker of the job queue ended by itself')
  }
  runner.promise.then(() => onEnd(), onEnd)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      if (!ended) await runner.stop()
      await atWork[Symbol.asyncDispose]()
    },
  }
}

function quietLogger(log: Logger) {
  return new GraphileLogger(() => (level, message, meta) => {
    // A failed attempt: logged above, where the error still has its stack.
    if (meta?.failure) return
    if (level === 'error') log.error({ ...meta }, message)
    else if (level === 'warning') log.warn({ ...meta }, message)
  })
}
