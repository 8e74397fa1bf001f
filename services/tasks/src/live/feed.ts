import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem, Bell } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { streamsFull, tooManyStreams } from '../errors.js'
import { type LiveEvent, listLater, newestId } from '../queries/live-events.js'
import type { Follower } from './follower.js'
import { viewersOf } from './viewers.js'

type FeedOptions = Pick<Ctx, 'db' | 'catalog' | 'cfg' | 'log' | 'stopping'>

const batchMax = 500
/** Rings may be lost. */
const pollMs = 1000
const retryMs = 1000
const callTimeoutMs = 10_000

/**
 * Reads new events once for all who follow in this process, and hands each to those who may see it
 * at that moment. Reads nothing while nobody follows.
 */
export class Feed implements AsyncDisposable {
  readonly #options: FeedOptions
  readonly #bell = new Bell()
  readonly #stopping = new AbortController()
  readonly #followers = new Set<Follower>()
  #ended: Promise<void> | undefined
  /** What was read, up to here. */
  #head = 0n

  constructor(options: FeedOptions) {
    this.#options = options
  }

  start(): void {
    const { stopping } = this.#options
    stopping.addEventListener('abort', () => {
      for (const { bell } of this.#followers) bell.ring()
    })
    this.#ended ??= this.#run(this.#stopping.signal)
  }

  ring(): void {
    this.#bell.ring()
  }

  /** From the answered id on, events come to the follower until it leaves. */
  async join(follower: Follower): Promise<bigint> {
    const { db } = this.#options
    // While nobody followed, nothing was read.
    if (this.#followers.size === 0) {
      const newest = await newestId(db)
      if (this.#followers.size === 0 && newest > this.#head) this.#head = newest
    }
    this.#admit(follower)
    follower.from = this.#head
    this.#followers.add(follower)
    this.#bell.ring()
    return this.#head
  }

  #admit({ username }: Follower) {
    const { streamsMax, streamsPerUserMax } = this.#options.cfg
    if (this.#followers.size >= streamsMax) throw streamsFull()
    let others = 0
    for (const other of this.#followers) if (other.username === username) others++
    if (others >= streamsPerUserMax) throw tooManyStreams(streamsPerUserMax)
  }

  /** Begins anew for one that has lost events; those up to the answered id are in the table. */
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
        const isMore = this.#followers.size > 0 && (await this.#readOn(signal))
        if (!isMore) await this.#bell.wait(pollMs, signal)
      } catch (err) {
        if (signal.aborted) return
        this.#options.log.warn({ err }, 'reading live events failed')
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Whether there may be more at once. */
  async #readOn(signal: AbortSignal): Promise<boolean> {
    const events = await listLater(this.#options.db, this.#head, batchMax)
    const last = events.at(-1)
    if (!last) return false
    // Who joins from here on begins after these.
    const followers = [...this.#followers]
    const before = this.#head
    this.#head = last.id
    try {
      await this.#handOut(events, followers, signal)
    } catch (error) {
      this.#head = before
      throw error
    }
    return events.length === batchMax
  }

  async #handOut(events: LiveEvent[], followers: Follower[], signal: AbortSignal) {
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
