import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.js'

/** Notifies the running jobs of a process of canceled tasks. */
export type Revocations = {
  watch(id: string, onRevoked: () => void): Disposable
}

// So that a canceled job stops within a second.
const everyMs = 400

/** Polls with one call for all running tasks, only while there are any. */
export function createRevocations(
  listRevoked: (ids: string[]) => Promise<string[]>,
  log: Logger,
): Revocations {
  const watches = new Set<{ id: string; onRevoked(): void }>()
  let isPolling = false
  const poll = async () => {
    isPolling = true
    while (watches.size > 0) {
      try {
        const revoked = new Set(await listRevoked([...new Set([...watches].map(({ id }) => id))]))
        for (const { id, onRevoked } of watches) if (revoked.has(id)) onRevoked()
      } catch (err) {
        log.debug({ err }, 'reading revoked tasks failed')
      }
      await sleep(everyMs, undefined, { ref: false })
    }
    isPolling = false
  }
  return {
    watch(id, onRevoked) {
      const one = { id, onRevoked }
      watches.add(one)
      if (!isPolling) void poll()
      return { [Symbol.dispose]: () => void watches.delete(one) }
    },
  }
}
