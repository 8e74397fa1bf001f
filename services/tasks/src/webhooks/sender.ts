import { setTimeout as sleep } from 'node:timers/promises'
import { WakeSignal } from '@figbase/kit/events'
import type { Ctx } from '../context.js'
import { type Claimed, claimDeliveries, deleteDone, nextDueInMs } from '../queries/deliveries.js'
import { type AttemptCtx, attempt } from './attempt.js'
import { type Objects, readObjects } from './read-objects.js'

export type SenderCtx = AttemptCtx & Pick<Ctx, 'db' | 'catalog' | 'comments' | 'cfg' | 'log'>

/** Announcements of deliveries may be lost. */
const pollMsMax = 60_000
const pollMsMin = 50
const busyMs = 1000
const retryMs = 1000
/** For what comes before and after the request of an attempt. */
const leaseExtraMs = 5000

/**
 * Sends deliveries in this process until disposed. An object is leased for an attempt, so that its deliveries are sent
 * one after the other, by one process at a time. If the process dies, others send it again after the lease.
 */
export class Sender implements AsyncDisposable {
  readonly #ctx: SenderCtx
  readonly #wakeSignal = new WakeSignal()
  readonly #stopping = new AbortController()
  readonly #attempts = new Set<Promise<void>>()
  /** Running attempts by webhook. */
  readonly #running = new Map<string, number>()
  #ended: Promise<void> | undefined

  constructor(ctx: SenderCtx) {
    this.#ctx = ctx
  }

  start(): void {
    this.#ended ??= this.#run(this.#stopping.signal)
  }

  /** There may be new deliveries. */
  wake(): void {
    this.#wakeSignal.notify()
  }

  async #run(signal: AbortSignal) {
    while (!signal.aborted) {
      try {
        // The end of an attempt wakes it.
        const dueInMs = this.#freeSlots() > 0 ? await nextDueInMs(this.#ctx.db) : undefined
        const isDue = dueInMs !== undefined && dueInMs <= 0
        if (isDue && (await this.#beginNext(signal))) continue
        await this.#wakeSignal.wait(this.#pauseMs(dueInMs), signal)
      } catch (err) {
        if (signal.aborted) return
        this.#ctx.log.warn({ err }, 'sending webhooks failed')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  #pauseMs(dueInMs: number | undefined): number {
    if (dueInMs === undefined) return pollMsMax
    if (dueInMs > 0) return Math.min(pollMsMax, Math.max(pollMsMin, dueInMs))
    // Another process is claiming it, or as many attempts of its webhook are running as may.
    return this.#running.size > 0 ? busyMs : pollMsMin
  }

  #freeSlots() {
    return this.#ctx.cfg.webhookConcurrency - this.#attempts.size
  }

  /** Begins attempts for the free slots; returns whether there were any. */
  async #beginNext(signal: AbortSignal): Promise<boolean> {
    const { db, cfg } = this.#ctx
    const slots = this.#freeSlots()
    const claimed = await claimDeliveries(db, {
      slots,
      perWebhook: cfg.webhookConcurrencyPerReceiver,
      leaseMs: cfg.webhookTimeoutMs + leaseExtraMs,
      running: Object.fromEntries(this.#running),
    })
    if (claimed.length === 0) return false
    const done = claimed.filter(({ delivery_id }) => delivery_id === null)
    if (done.length > 0) await deleteDone(db, done)
    const pending = claimed.filter(({ delivery_id }) => delivery_id !== null)
    if (pending.length > 0) {
      const objects = await readObjects(this.#ctx, pending, signal)
      for (const one of pending) this.#begin(one, objects, signal)
    }
    return true
  }

  #begin(one: Claimed, objects: Objects, signal: AbortSignal) {
    const { webhook_id: webhookId } = one
    this.#running.set(webhookId, (this.#running.get(webhookId) ?? 0) + 1)
    const ended = attempt(this.#ctx, one, objects, signal)
      // Sent again after the lease.
      .catch((err: unknown) => {
        if (!signal.aborted) this.#ctx.log.warn({ err, webhookId }, 'sending a webhook failed')
      })
      .finally(() => {
        const left = (this.#running.get(webhookId) ?? 1) - 1
        if (left > 0) this.#running.set(webhookId, left)
        else this.#running.delete(webhookId)
        this.#attempts.delete(ended)
        this.wake()
      })
    this.#attempts.add(ended)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#ended
    await Promise.all(this.#attempts)
  }
}
