import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'

const backoffsMs = [100, 500]

/**
 * Reports a committed change to catalog. Retries unless catalog refuses for good: a caller should rather wait a second
 * than get an assumed result. Undefined if catalog does not answer: the job does it later, and the request succeeds,
 * because an error would make the caller repeat it.
 */
export async function orDefer<T>(
  { log }: Ctx,
  id: string,
  report: () => Promise<T>,
): Promise<T | undefined> {
  for (const backoffMs of [...backoffsMs, undefined]) {
    try {
      return await report()
    } catch (err) {
      if (isFinal(err)) throw err
      if (backoffMs === undefined)
        log.warn({ err, id }, 'reporting a story to catalog deferred to the job')
      else await sleep(backoffMs)
    }
  }
  return undefined
}
