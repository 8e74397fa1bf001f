import { setTimeout as sleep } from 'node:timers/promises'
import { WakeSignal } from '@figbase/kit/events'
import type { Ctx } from '../context.js'
import { SearchUnavailable } from '../engine/port.js'
import {
  type ClaimedChange,
  claimChanges,
  finishChanges,
  nextDueMs,
  postponeChanges,
  releaseChanges,
  renewClaims,
} from '../queries/changes.js'
import { indexChanges } from './index-changes.js'
import { moveSubtree } from './move-subtree.js'
import { RetryTimes } from './retry-times.js'

const batchMax = 100
/** Wake signals may be lost, and processes that were killed leave changes behind. */
const pollMs = 60_000
/** An object often changes several times in a row: its upload ends, then its processing. */
const collectMs = 100
const retryMsMin = 1000
const retryMsMax = 600_000
/** A claim of a process that was killed ends after this time; others are renewed. */
const claimMs = 20_000
const renewMs = 5000

/** Indexes changed objects, the oldest first, until it is disposed. */
export class Indexer implements AsyncDisposable {
  readonly #wakeSignal = new WakeSignal()
  readonly #stopping = new AbortController()
  readonly #openIndex: (ctx: Ctx) => Promise<void>
  #ended: Promise<void> | undefined
  /** Of changes that failed. */
  readonly #retries = new RetryTimes()

  /** `openIndex` is repeated until it succeeds, before the first change. */
  constructor(openIndex: (ctx: Ctx) => Promise<void>) {
    this.#openIndex = openIndex
  }

  start(ctx: Ctx): void {
    this.#ended ??= this.#run(ctx, this.#stopping.signal)
  }

  wake(): void {
    this.#wakeSignal.notify()
  }

  async #run(ctx: Ctx, signal: AbortSignal) {
    let isOpen = false
    while (!signal.aborted) {
      try {
        // The service starts without waiting for the engine.
        if (!isOpen) await this.#openIndex(ctx)
        isOpen = true
        this.#retries.forgetPast()
        const changes = await claimChanges(ctx.db, batchMax, claimMs)
        const isAgain = changes.length > 0 && (await this.#index(ctx, changes, signal))
        if (isAgain || changes.length === batchMax) continue
        const dueMs = changes.length > 0 ? pollMs : ((await nextDueMs(ctx.db)) ?? pollMs)
        await this.#wakeSignal.wait(
          this.#retries.nextMs(Math.max(0, Math.min(dueMs, pollMs))),
          signal,
        )
        await sleep(collectMs, undefined, { signal })
      } catch (err) {
        if (signal.aborted) return
        ctx.log.warn({ err }, 'indexing failed')
        await untilAvailable(ctx, signal).catch(() => {})
      }
    }
  }

  /**
   * Returns whether some changed again, or others were marked, and are due. One object must not hold up the others:
   * after a failure, each is indexed by itself, unless the engine is unavailable for all.
   */
  async #index(ctx: Ctx, changes: ClaimedChange[], signal: AbortSignal): Promise<boolean> {
    try {
      const hasMarked = await indexBatch(ctx, changes, signal)
      const isAgain = await ctx.write((db) => finishChanges(db, changes))
      return hasMarked || isAgain
    } catch (err) {
      const ids = changes.map(({ id }) => id)
      if (signal.aborted || (err instanceof SearchUnavailable && !(await isAvailable(ctx)))) {
        await releaseChanges(ctx.db, ids)
        throw err
      }
      const [only, ...others] = changes
      if (only && others.length === 0) {
        const retryMs = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(only.attempts, 20))
        ctx.log.warn({ err, id: only.id, retryMs }, 'indexing an object failed')
        await postponeChanges(ctx.db, ids, retryMs)
        this.#retries.add(retryMs)
        return false
      }
      ctx.log.info({ err, objects: changes.length }, 'indexing together failed')
      let isAgain = false
      for (const [at, change] of changes.entries()) {
        try {
          isAgain = (await this.#index(ctx, [change], signal)) || isAgain
        } catch (error) {
          await releaseChanges(ctx.db, ids.slice(at + 1))
          throw error
        }
      }
      return isAgain
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }
}

async function indexBatch(ctx: Ctx, changes: ClaimedChange[], signal: AbortSignal) {
  await using _ = renewing(ctx, changes)
  const hasMarked = await indexChanges(ctx, changes, signal)
  for (const { id, movesSubtree } of changes) if (movesSubtree) await moveSubtree(ctx, id, signal)
  return hasMarked
}

/** Renews the claims until it is disposed. */
function renewing({ db, log }: Ctx, changes: ClaimedChange[]): AsyncDisposable {
  const ids = changes.map(({ id }) => id)
  let renewal: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    renewal = renewClaims(db, ids, claimMs).catch((err) => log.warn({ err }, 'renewing failed'))
  }, renewMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await renewal
    },
  }
}

const isAvailable = async ({ engine }: Ctx) => (await engine.server?.isAvailable()) ?? true

async function untilAvailable(ctx: Ctx, signal: AbortSignal) {
  do await sleep(retryMsMin, undefined, { signal })
  while (!(await isAvailable(ctx)))
}
