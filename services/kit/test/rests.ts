import type { TestContext } from 'node:test'
import { Bell } from '../src/events/bell.js'
import { createRecord } from './queue.js'

/** In milliseconds; at its end only a ring ends a rest. */
export const forEver = (): number => 2 ** 31 - 1

/**
 * The rests that a bell may end, in milliseconds, as they begin; each lasts as long as `lasting` says. With
 * `forEver`, nothing is found because somebody looks again: only because a bell has rung.
 */
export function watchRests(t: TestContext, lasting: (ms: number) => number) {
  const { wait } = Bell.prototype
  const rests = createRecord<number>()
  t.mock.method(Bell.prototype, 'wait', function (this: Bell, ms: number, signal: AbortSignal) {
    rests.add(ms)
    return wait.call(this, lasting(ms), signal)
  })
  return rests
}
