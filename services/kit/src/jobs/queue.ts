import { type QueryExecutorProvider, sql } from 'kysely'
import { type Executor, statement } from '../db/statement.js'
import type { JobName } from './define.js'

export type EnqueueOptions = {
  /**
   * One job a name and key: while it waits, the newer call replaces its payload, priority and time;
   * while it runs, it runs once more afterwards.
   */
  key?: string
  /** Lower goes first; the job's own without one. */
  priority?: number
  /** Not before this time; at once without one. */
  runAt?: Date
  /** Workspaces take turns, however many jobs each has. A UUID; empty: of none. */
  workspaceId?: string
}

/** Enqueues in the transaction of the write that wants the job: no row without its job. */
export type Enqueue = <Payload>(
  tx: Executor,
  job: JobName<Payload>,
  payload: NoInfer<Payload>,
  options?: EnqueueOptions,
) => Promise<void>

/** Whether there was such a job; one that runs sees its signal within a second. */
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

const enqueued = statement<never, EnqueuedJob>(`
  select enqueue_job(:name, :key, :payload, :workspaceId, :priority, :runAt, :attemptsMax, $request_id,
                     $traceparent)`)

export async function enqueueJob(
  tx: Executor,
  job: JobName<unknown>,
  payload: unknown,
  { key, priority = job.priority ?? 0, runAt, workspaceId }: EnqueueOptions = {},
): Promise<void> {
  await enqueued(tx, {
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
 * The call that enqueues, for a `statement` that writes what wants the job: key and payload (JSON) are
 * SQL, such as `:payload`; so is the workspace.
 */
export const enqueueing = (
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
