import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'

const backoffsMs = [100, 500]

/**
 * Retries unless catalog refuses for good: a caller should rather wait a second than get an assumed result.
 * The job of the revision or update `id` finds the outcome in `ctx.activationOutcomes`.
 */
export function withRetry<T>(ctx: Ctx, id: string, work: () => Promise<T>): Promise<T> {
  const working = retry(work)
  const outcome = working.then(
    () => true,
    () => false,
  )
  ctx.activationOutcomes.set(id, outcome)
  return working
}

async function retry<T>(work: () => Promise<T>) {
  for (const backoffMs of backoffsMs) {
    try {
      return await work()
    } catch (error) {
      if (isFinal(error)) throw error
      await sleep(backoffMs)
    }
  }
  return work()
}
