import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.js'
import type { Periodic } from '../service/service.js'
import { PollInterval } from '../timing/poll-interval.js'
import { WakeSignal } from '../timing/wake-signal.js'

export type RunningPeriodic = AsyncDisposable & {
  /** There may be work: ends a long pause. */
  wake(): void
}

/** Repeats the work until disposed; failures are logged. */
export function startPeriodic<Ctx>(work: Periodic<Ctx>, ctx: Ctx, log: Logger): RunningPeriodic {
  const { everyMs, idleMsMax = everyMs } = work
  const stopping = new AbortController()
  const { signal } = stopping
  const wakeSignal = new WakeSignal()
  const pollInterval = new PollInterval(everyMs, idleMsMax)
  let isIdle = false
  const pause = async () => {
    const extraMs = isIdle ? pollInterval.next() - everyMs : 0
    if (extraMs > 0 && (await wakeSignal.wait(extraMs, signal))) pollInterval.reset()
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
  const loop = async () => {
    for (;;) {
      await pause()
      if (signal.aborted) return
      try {
        isIdle = (await work.run(ctx, signal)) === false
        if (!isIdle) pollInterval.reset()
      } catch (err) {
        if (!signal.aborted) log.error({ err, work: work.name }, 'periodic work failed')
      }
    }
  }
  const ended = loop()
  return {
    wake: () => wakeSignal.notify(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}
