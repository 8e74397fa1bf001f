import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.js'

/** Tells the running jobs of a process which tasks were cancelled. */
export type Revocations = {
  watch(id: string, onRevoked: () => void): Disposable
}

// A cancelled job stops within a second.
const everyMs = 400

/** One question for all that run here, asked only while something does. */
export function createRevocations(
  ask: (ids: string[]) => Promise<string[]>,
  log: Logger,
): Revocations {
  const watched = new Set<{ id: string; onRevoked(): void }>()
  let isAsking = false
  const askOn = async () => {
    isAsking = true
    while (watched.size > 0) {
      try {
        const revoked = new Set(await ask([...new Set([...watched].map(({ id }) => id))]))
        for (const { id, onRevoked } of watched) if (revoked.has(id)) onRevoked()
      } catch (err) {
        log.debug({ err }, 'it is not known which tasks were cancelled')
      }
      await sleep(everyMs, undefined, { ref: false })
    }
    isAsking = false
  }
  return {
    watch(id, onRevoked) {
      const one = { id, onRevoked }
      watched.add(one)
      if (!isAsking) void askOn()
      return { [Symbol.dispose]: () => void watched.delete(one) }
    },
  }
}
