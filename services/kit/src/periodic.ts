import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.js'
import type { Periodic } from './service.js'

/** Repeats the work until disposed; a failure is logged and does not end the repetition. */
export function startPeriodic<Ctx>(work: Periodic<Ctx>, ctx: Ctx, log: Logger): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async () => {
    while (!signal.aborted) {
      await sleep(work.everyMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await work.run(ctx, signal)
      } catch (err) {
        if (!signal.aborted) log.error({ err, work: work.name }, 'periodic work failed')
      }
    }
  }
  const ended = loop()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}
