import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@figbase/kit/log'
import { PollInterval, TimedOut, withTimeout } from '@figbase/kit/timing'
import type { Db } from '../db/schema.js'
import { SearchUnavailable } from '../engine/port.js'
import { ThreadEnded } from '../threads/thread.js'
import { Follower, type MemoryIndex, type Source } from './follower.js'

const retryMsMin = 1000
const retryMsMax = 60_000
/** After so long, the next end of the thread is no longer taken for another one of the same cause. */
const stableMs = 60_000

export type KeptOptions = {
  db: Db
  log: Logger
  /** How long a search waits. */
  loadTimeoutMs: number
}

/**
 * An index in the memory of a thread, loaded in the background. If its thread ends, another one is started and loaded,
 * after a delay that grows while threads end soon.
 */
export class KeptIndex<Index extends MemoryIndex> implements AsyncDisposable {
  readonly #delay = new PollInterval(retryMsMin, retryMsMax)
  readonly #stopping = new AbortController()
  /** The loaded index, or the one that will be. */
  #loaded: Promise<Follower<Index>> | undefined

  constructor(
    private readonly source: Source<Index>,
    private readonly options: KeptOptions,
  ) {}

  /** Begins to load. */
  start(): void {
    this.#expect(this.#load())
  }

  /**
   * What `work` finds in the index, which is up to date with the database. Throws SearchUnavailable if it is not loaded
   * in time, or if its thread ends.
   */
  async use<T>(work: (index: Index) => Promise<T>): Promise<T> {
    const { loadTimeoutMs } = this.options
    try {
      return await work(await withTimeout(loadTimeoutMs, this.#upToDate()))
    } catch (err) {
      if (err instanceof TimedOut)
        throw new SearchUnavailable(
          `the ${this.source.name} were not in memory within ${loadTimeoutMs} ms`,
        )
      if (err instanceof ThreadEnded) throw new SearchUnavailable(err.message, { cause: err })
      throw err
    }
  }

  async #upToDate(): Promise<Index> {
    const loaded = await this.#loaded
    if (!loaded) throw new Error(`the ${this.source.name} are used before the start`)
    await loaded.sync()
    return loaded.index
  }

  #expect(loaded: Promise<Follower<Index>>) {
    this.#loaded = loaded
    // Fails only when this is disposed.
    loaded.catch(() => {})
  }

  async #load(): Promise<Follower<Index>> {
    const { db, log } = this.options
    const { name } = this.source
    const { signal } = this.#stopping
    for (;;) {
      signal.throwIfAborted()
      const begunMs = performance.now()
      const follower = new Follower(db, this.source, signal)
      try {
        await follower.sync()
        const ms = Math.round(performance.now() - begunMs)
        log.info({ [name]: follower.index.size(), ms }, `the ${name} are in memory`)
        const loadedMs = performance.now()
        void follower.index.ended.then((err) => this.#restart(err, loadedMs))
        return follower
      } catch (err) {
        await follower[Symbol.asyncDispose]()
        signal.throwIfAborted()
        const retryMs = this.#delay.next()
        log.warn({ err, retryMs }, `reading the ${name} into memory failed`)
        await sleep(retryMs, undefined, { signal })
      }
    }
  }

  #restart(err: ThreadEnded, loadedMs: number) {
    const { signal } = this.#stopping
    if (signal.aborted) return
    if (performance.now() - loadedMs > stableMs) this.#delay.reset()
    const retryMs = this.#delay.next()
    this.options.log.warn({ err, retryMs }, `the ${this.source.name} are read into another thread`)
    this.#expect(sleep(retryMs, undefined, { signal }).then(() => this.#load()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    const loaded = await this.#loaded?.catch(() => undefined)
    await loaded?.[Symbol.asyncDispose]()
  }
}
