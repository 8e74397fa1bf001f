import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Figbase, type Schemas, waitForTask } from '@figbase/client'

export type Task<Result = unknown> = Schemas['Task'] & { result: Result }

const waitMsMax = 60_000

/** The task when it is over. */
export async function finishedTask<Result>(me: Figbase, taskId: string): Promise<Task<Result>> {
  const signal = AbortSignal.timeout(waitMsMax)
  return (await waitForTask(me, taskId, { signal })) as Task<Result>
}

/** Waits until a condition is true. */
export async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + waitMsMax; !(await isTrue()); await delay(50)) {
    assert.ok(Date.now() < end, `waited for ${what}`)
  }
}
