import { type QueryExecutorProvider, sql } from 'kysely'
import { type Executor, statement } from '../db/statement.js'
import type { JobName } from './define.js'

export type EnqueueOptions = {
  /**
   * At most one job exists per name and key. Enqueueing it again replaces payload, priority and time of a waiting
   * job; a running job runs once more afterwards.
   */
  key?: string
  /** Lower runs first; default: that of the job. */
  priority?: number
  /** Earliest start; default: now. */
  runAt?: Date
  /** UUID of the workspace; workspaces take turns, however many jobs each has. Empty: none. */
  workspaceId?: string
}

/** Enqueues in the transaction of the write that needs the job: both are committed or neither. */
export type Enqueue = <Payload>(
  tx: Executor,
  job: JobName<Payload>,
  payload: NoInfer<Payload>,
  options?: EnqueueOptions,
) => Promise<void>

/** Returns whether such a job was found; the signal of a running job fires within a second. */
export type CancelJob = (
  tx: QueryExecutorProvider,
  job: { name: string },
  key: string,
) => Promise<boolean>

type EnqueuedJob = {
  name: string
  key: string | undefined
  payload: string
  workspaceId: string | null
  priority: number
  runAt: string | null
  attemptsMax: number
}

const insertJob = statement<never, EnqueuedJob>(`
  select enqueue_job(:name, :key, :payload, :workspaceId, :priority, :runAt, :attemptsMax, $request_id,
                     $traceparent)`)

export async function enqueueJob(
  tx: Executor,
  job: JobName<unknown>,
  payload: unknown,
  { key, priority = job.priority ?? 0, runAt, workspaceId }: EnqueueOptions = {},
): Promise<void> {
  await insertJob(tx, {
    name: job.name,
    key,
    payload: JSON.stringify(payload),
    workspaceId: workspaceId || null,
    priority,
    runAt: runAt?.toISOString() ?? null,
    attemptsMax: job.attemptsMax,
  })
}

/**
 * SQL call that enqueues a job, to be part of the `statement` that writes. Key, payload (JSON) and workspace are SQL
 * expressions such as `:payload`.
 */
export const enqueueSql = (
  { name, priority = 0, attemptsMax }: JobName<unknown>,
  { key, payload, workspaceId }: { key: string; payload: string; workspaceId: string },
): string =>
  `enqueue_job('${name}', ${key}::text, ${payload}::json, ${workspaceId}::uuid, ${priority}, null, ${attemptsMax},
    $request_id::text, $traceparent::text)`

export const cancelJob: CancelJob = async (tx, { name }, key) => {
  const { rows } = await sql<{ id: bigint }>`
    with found as materialized (
      select id, state from job where name = ${name} and key = ${key} and state <> 'dead' for update
    ), removed as (
      delete from job using found where job.id = found.id and found.state <> 'running'
    ), told as (
      update job set canceled = true, again = false
        from found where job.id = found.id and found.state = 'running'
    )
    select id from found`.execute(tx)
  return rows.length > 0
}

/** SQL condition: a job with this name and key waits or runs. `key` is a SQL expression. */
export const hasJobSql = (names: string[], key: string): string =>
  `exists (select from job where name in (${names.map((name) => `'${name}'`).join(', ')}) and key = ${key} and state <> 'dead')`
