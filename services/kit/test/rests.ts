import type { TestContext } from 'node:test'
import { WakeSignal } from '../src/timing/wake-signal.js'
import { createRecord } from './queue.js'

/** In milliseconds; then only a notification ends a wait. */
export const forEver = (): number => 2 ** 31 - 1

/**
 * Records the waits on wake signals in milliseconds as they begin; each lasts as long as `lasting` returns. With
 * `forEver`, nothing is found by polling but only by notifications.
 */
export function watchRests(t: TestContext, lasting: (ms: number) => number) {
  const { wait } = WakeSignal.prototype
  const rests = createRecord<number>()
  t.mock.method(
    WakeSignal.prototype,
    'wait',
    function (this: WakeSignal, ms: number, signal: AbortSignal) {
      rests.add(ms)
      return wait.call(this, lasting(ms), signal)
    },
  )
  return rests
}
