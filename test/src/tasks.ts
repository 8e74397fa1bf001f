import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.js'

export interface Task<Result = unknown> {
  status: string
  progress: number
  error: string | null
  result: Result
}

/** The task when it is over. */
export async function finishedTask<Result>(me: Client, taskId: string): Promise<Task<Result>> {
  for (const end = Date.now() + 60_000; ; await delay(50)) {
    const { body } = await me.get<Task<Result>>(`tasks/${taskId}/`)
    if (!['PENDING', 'STARTED'].includes(body.status)) return body
    assert.ok(Date.now() < end, `the task has status ${body.status}`)
  }
}

/** Waits until a condition is true. */
export async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isTrue()); await delay(50)) {
    assert.ok(Date.now() < end, `waited for ${what}`)
  }
}
