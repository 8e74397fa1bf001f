import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { DriverFailed } from '../drivers/port.js'
import { reconcile as name, reconcileKey } from '../job-names.js'
import { reconcile } from '../reconciler/reconcile.js'

const timeoutMs = 60 * 60_000
/** The job is handed over before it times out. */
const runForMs = 30 * 60_000

/**
 * Looks after all instances until they are at rest. Its lease makes one process do so at a time; if two do for a
 * moment, they do not disturb each other.
 */
export const reconcileJob: Job<Ctx, object> = defineJob<Ctx, object>({
  ...name,
  timeoutMs,
  concurrencyMax: 1,
  async run(ctx, _, signal) {
    const { driver, cfg, log } = ctx
    if (!driver) return
    const endsAt = performance.now() + runForMs
    let measuredAt = Number.NEGATIVE_INFINITY
    while (performance.now() < endsAt) {
      const isMeasuring = performance.now() - measuredAt >= cfg.heartbeatMs
      if (isMeasuring) measuredAt = performance.now()
      try {
        if (!(await reconcile(ctx, driver, signal, isMeasuring))) return
      } catch (error) {
        if (!(error instanceof DriverFailed)) throw error
        log.warn({ err: error }, 'compute instances cannot be observed')
      }
      if (driver.changed) await driver.changed(cfg.pollMs, signal)
      else await sleep(cfg.pollMs, undefined, { signal })
    }
    await ctx.transact((tx) => ctx.enqueue(tx, name, {}, { key: reconcileKey }))
  },
})
