import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { JobCanceled, JobInterrupted } from '@figbase/kit/jobs'
import { TaskFailed, type TaskHandle, TaskRevoked } from '@figbase/kit/tasks'

type Task = Pick<TaskHandle, 'signal' | 'attempt' | 'log'>

/** Whether no attempt of the task follows. */
export function isLastAttempt(error: unknown, { signal, attempt }: Task, attemptsMax: number) {
  const reason: unknown = signal.aborted ? signal.reason : undefined
  if (reason instanceof JobInterrupted) return false
  const isEnded = reason instanceof TaskRevoked || reason instanceof JobCanceled
  return isEnded || error instanceof TaskFailed || attempt >= attemptsMax
}

/** Errors that another attempt would not remove, and those of the last attempt, get a message for users. */
export function forUsers(error: unknown, { signal, attempt }: Task, attemptsMax: number): unknown {
  if (signal.aborted || !(error instanceof ConnectError)) return error
  const name = detailOf(error)?.error ?? ''
  const isFromModel = name.startsWith('ai_')
  if (finalErrors.has(name)) return new TaskFailed(error.rawMessage)
  if (isFromModel && attempt >= attemptsMax) return new TaskFailed(error.rawMessage)
  return finalCodes.has(error.code) ? new TaskFailed(error.rawMessage) : error
}

const finalErrors = new Set(['ai_quota_exceeded', 'ai_disabled'])
const finalCodes = new Set([Code.InvalidArgument, Code.NotFound, Code.PermissionDenied])

/** Runs a step of a task; if the plan allows no more requests in this minute, it waits and tries again. */
export async function patiently<T>(task: Task, step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      const detail = error instanceof ConnectError ? detailOf(error) : undefined
      if (detail?.error !== 'ai_rate_exceeded') throw error
      const seconds = Math.max(1, detail.retryAfterSeconds)
      task.log(`The plan allows no more requests in this minute: waiting ${seconds} s.`)
      await sleep(seconds * 1000, undefined, { signal: task.signal })
    }
  }
}
