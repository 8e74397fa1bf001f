import { setTimeout as sleep } from 'node:timers/promises'
import { WakeSignal } from '@figbase/kit/events'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { streamsFull, tooManyStreams } from '../errors.js'
import { type LiveEvent, listLater, newestId } from '../queries/live-events.js'
import type { Follower } from './follower.js'
import { viewersOf } from './viewers.js'

type FeedOptions = Pick<Ctx, 'db' | 'catalog' | 'cfg' | 'log' | 'stopping'>

const batchMax = 500
/** Wake signals may be lost. */
const pollMs = 1000
const retryMs = 1000
const callTimeoutMs = 10_000

/**
 * Reads new events once for all followers in this process, and delivers each to the followers who may see it at that
 * moment. Does not read while there are no followers.
 */
export class Feed implements AsyncDisposable {
  readonly #options: FeedOptions
  readonly #wakeSignal = new WakeSignal()
  readonly #stopping = new AbortController()
  readonly #followers = new Set<Follower>()
  #ended: Promise<void> | undefined
  /** Id of the last event read. */
  #head = 0n

  constructor(options: FeedOptions) {
    this.#options = options
  }

  start(): void {
    const { stopping } = this.#options
    stopping.addEventListener('abort', () => {
      for (const { wakeSignal } of this.#followers) wakeSignal.notify()
    })
    this.#ended ??= this.#run(this.#stopping.signal)
  }

  wake(): void {
    this.#wakeSignal.notify()
  }

  /** Returns an id; later events are delivered to the follower until it leaves. */
  async join(follower: Follower): Promise<bigint> {
    const { db } = this.#options
    // Nothing was read while there were no followers.
    if (this.#followers.size === 0) {
      const newest = await newestId(db)
      if (this.#followers.size === 0 && newest > this.#head) this.#head = newest
    }
    this.#admit(follower)
    follower.from = this.#head
    this.#followers.add(follower)
    this.#wakeSignal.notify()
    return this.#head
  }

  #admit({ username }: Follower) {
    const { streamsMax, streamsPerUserMax } = this.#options.cfg
    if (this.#followers.size >= streamsMax) throw streamsFull()
    let others = 0
    for (const other of this.#followers) if (other.username === username) others++
    if (others >= streamsPerUserMax) throw tooManyStreams(streamsPerUserMax)
  }

  /** Restarts delivery to a follower that lost events; events up to the returned id must be read from the table. */
  resume(follower: Follower): bigint {
    follower.from = this.#head
    return this.#head
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
  }

  async #run(signal: AbortSignal) {
    while (!signal.aborted) {
      try {
        const hasMore = this.#followers.size > 0 && (await this.#readNext(signal))
        if (!hasMore) await this.#wakeSignal.wait(pollMs, signal)
      } catch (err) {
        if (signal.aborted) return
        this.#options.log.warn({ err }, 'reading live events failed')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Returns whether there may be more events. */
  async #readNext(signal: AbortSignal): Promise<boolean> {
    const events = await listLater(this.#options.db, this.#head, batchMax)
    const last = events.at(-1)
    if (!last) return false
    // Followers that join from here on start after these events.
    const followers = [...this.#followers]
    const before = this.#head
    this.#head = last.id
    try {
      await this.#deliver(events, followers, signal)
    } catch (error) {
      this.#head = before
      throw error
    }
    return events.length === batchMax
  }

  async #deliver(events: LiveEvent[], followers: Follower[], signal: AbortSignal) {
    const usernames = [...new Set(followers.map((one) => one.username))]
    const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
    const maySee = await viewersOf(this.#options, events, usernames, call)
    for (const event of events) {
      for (const follower of followers) {
        if (maySee(follower, event)) follower.add(event)
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }
}
