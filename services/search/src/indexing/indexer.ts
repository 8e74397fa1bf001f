import { setTimeout as sleep } from 'node:timers/promises'
import { WakeSignal } from '@figbase/kit/events'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
import {
  type ClaimedChange,
  claimChanges,
  finishChanges,
  postponeChanges,
} from '../queries/changes.js'
import { indexChanges } from './index-changes.js'
import { moveSubtree } from './move-subtree.js'

const batchMax = 100
/** Wake signals may be lost, and processes that were killed leave changes behind. */
const pollMs = 60_000
/** An object often changes several times in a row: its upload ends, then its processing. */
const collectMs = 100
const retryMs = 1000
const retryMsMax = 600_000
/** A claim of a process that was killed ends after this time. */
const claimMs = 120_000

/** What to do after a batch: objects have changed again, or some failed and are retried. */
type Next = 'again' | 'failed' | 'idle'

/** Indexes changed objects, the oldest first, until it is disposed. */
export class Indexer implements AsyncDisposable {
  readonly #wakeSignal = new WakeSignal()
  readonly #stopping = new AbortController()
  readonly #openIndex: (ctx: Ctx) => Promise<void>
  #ended: Promise<void> | undefined

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
        const changes = await claimChanges(ctx.db, batchMax, claimMs)
        const next = changes.length > 0 ? await this.#index(ctx, changes, signal) : 'idle'
        if (next === 'again' || changes.length === batchMax) continue
        await this.#wakeSignal.wait(next === 'failed' ? retryMs : pollMs, signal)
        await sleep(collectMs, undefined, { signal })
      } catch (err) {
        if (signal.aborted) return
        ctx.log.warn({ err }, 'indexing failed')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** One object must not hold up the others: after a failure, each is indexed by itself. */
  async #index(ctx: Ctx, changes: ClaimedChange[], signal: AbortSignal): Promise<Next> {
    try {
      await indexBatch(ctx, changes, signal)
      return (await finishChanges(ctx.db, changes)) ? 'again' : 'idle'
    } catch (err) {
      const [only, ...others] = changes
      if (signal.aborted || others.length === 0) {
        if (!signal.aborted) ctx.log.warn({ err, id: only?.id }, 'indexing an object failed')
        await postpone(ctx.db, changes, signal)
        return 'failed'
      }
      ctx.log.info({ err, objects: changes.length }, 'indexing together failed')
      for (const change of changes) await this.#index(ctx, [change], signal)
      return 'failed'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }
}

async function indexBatch(ctx: Ctx, changes: ClaimedChange[], signal: AbortSignal) {
  await indexChanges(ctx, changes, signal)
  for (const { id, movesSubtree } of changes) if (movesSubtree) await moveSubtree(ctx, id, signal)
}

/** Releases the claims: at once when the process stops, else after a growing delay. */
async function postpone(db: Db, changes: ClaimedChange[], { aborted }: AbortSignal) {
  const attempts = Math.max(...changes.map((change) => change.attempts))
  const delayMs = aborted ? 0 : Math.min(retryMsMax, retryMs * 2 ** Math.min(attempts, 20))
  await postponeChanges(
    db,
    changes.map(({ id }) => id),
    delayMs,
  )
}
