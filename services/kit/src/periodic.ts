import { setTimeout as sleep } from 'node:timers/promises'
import { Bell } from './events/bell.js'
import { Idle } from './idle.js'
import type { Logger } from './log.js'
import type { Periodic } from './service.js'

export type RunningPeriodic = AsyncDisposable & {
  /** There may be something to find: a long rest ends. */
  wake(): void
}

/** Repeats the work until disposed; a failure is logged and does not end the repetition. */
export function startPeriodic<Ctx>(work: Periodic<Ctx>, ctx: Ctx, log: Logger): RunningPeriodic {
  const { everyMs, idleMsMax = everyMs } = work
  const stopping = new AbortController()
  const { signal } = stopping
  const bell = new Bell()
  const idle = new Idle(everyMs, idleMsMax)
  let isIdle = false
  const rest = async () => {
    const restMs = isIdle ? idle.next() - everyMs : 0
    if (restMs > 0 && (await bell.wait(restMs, signal))) idle.reset()
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
  const loop = async () => {
    for (;;) {
      await rest()
      if (signal.aborted) return
      try {
        isIdle = (await work.run(ctx, signal)) === false
        if (!isIdle) idle.reset()
      } catch (err) {
        if (!signal.aborted) log.error({ err, work: work.name }, 'periodic work failed')
      }
    }
  }
  const ended = loop()
  return {
    wake: () => bell.ring(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}
