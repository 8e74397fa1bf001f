import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, Code, ConnectError } from '@connectrpc/connect'
import { type ReportTaskResponse, TasksService } from '@figbase/proto/tasks'
import { hasCode } from '../errors/errors.js'
import type { Logger } from '../log.js'
import { actAs, actAsSystem } from '../rpc/call.js'
import { user } from '../rpc/principal.js'
import type { Kit } from '../service/service.js'
import type { TaskRecord } from './define.js'
import type { Report } from './report.js'
import { createRevocations, type Revocations } from './revocations.js'

/** Client of the tasks service for jobs; calls are not retried. */
export type Tasks = {
  open(task: TaskRecord): Promise<void>
  /** Reports progress; opens the record if it does not exist yet. */
  report(task: TaskRecord, report: Report): Promise<ReportTaskResponse>
  /** Those of the tasks that were cancelled. */
  listRevoked(ids: string[]): Promise<string[]>
  revocations: Revocations
}

const callTimeoutMs = 2000

export function createTasks(client: Kit<unknown>['client'], log: Logger): Tasks {
  const service: Client<typeof TasksService> = client(TasksService)
  const asSystem = () => ({ ...actAsSystem(), timeoutMs: callTimeoutMs })
  const open = async ({ owner, id, name, type }: TaskRecord) => {
    await service.startTask({ id, name, type }, { ...actAs(user(owner)), timeoutMs: callTimeoutMs })
  }
  const listRevoked = async (ids: string[]) => (await service.listRevoked({ ids }, asSystem())).ids
  return {
    open,
    listRevoked,
    async report(task, report) {
      const request = { ...report, id: task.id }
      try {
        return await service.reportTask(request, asSystem())
      } catch (error) {
        if (!hasCode(error, Code.NotFound)) throw error
        await open(task)
        return await service.reportTask(request, asSystem())
      }
    },
    revocations: createRevocations(listRevoked, log),
  }
}

const finalCodes = new Set([
  Code.InvalidArgument,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.Unimplemented,
])

/** Whether a retry cannot succeed. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ConnectError && finalCodes.has(error.code)

const firstDelayMs = 100
const delayMsMax = 5000

/** Retries a call, made at least once, until it succeeds, fails with a final error, or `signal` fires. */
export async function withRetries<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, delayMsMax)) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
      await sleep(delayMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
