import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'

const pausesMs = [100, 500]

/**
 * Tries a few times, unless catalog refuses for good: a caller who waits a second is better off than one
 * whose answer is a guess. `id` is that of what was committed: its job looks in `ctx.shown` for the outcome.
 */
export function patiently<T>(ctx: Ctx, id: string, work: () => Promise<T>): Promise<T> {
  const working = tryTimes(work)
  const outcome = working.then(
    () => true,
    () => false,
  )
  ctx.shown.set(id, outcome)
  return working
}

async function tryTimes<T>(work: () => Promise<T>) {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (isFinal(error)) throw error
      await sleep(pauseMs)
    }
  }
  return work()
}
