import { setTimeout as sleep } from 'node:timers/promises'
import { DriverFailed } from '../port.js'
import { isConflict } from './record.js'

/** `wait`: the API server needs time for something. */
export type Step = 'done' | 'again' | 'wait'

const stepsMax = 50
const pauseMsMin = 5
const pauseMsMax = 500

/**
 * Repeats a step until it says that it is done. Each begins with reading; what others changed meanwhile is a reason
 * to read again.
 */
export async function inSteps(signal: AbortSignal, step: () => Promise<Step>): Promise<void> {
  let pauseMs = pauseMsMin
  for (let count = 0; count < stepsMax; count++) {
    signal.throwIfAborted()
    const next = await step().catch((error: unknown): Step => {
      if (!isConflict(error)) throw error
      return 'wait'
    })
    if (next === 'done') return
    if (next === 'again') continue
    // Two who change the same should not meet again.
    await sleep(pauseMs * (1 + Math.random()), undefined, { signal })
    pauseMs = Math.min(pauseMsMax, 1.5 * pauseMs)
  }
  throw new DriverFailed('The notebook is being changed by others; it will be tried again.')
}
