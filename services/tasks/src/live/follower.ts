import { WakeSignal } from '@figbase/kit/events'
import type { LiveEvent } from '../queries/live-events.js'

/** Beyond this, a slow follower loses events, and reads them from the table instead. */
const pendingMax = 1000

/** An open event stream, with its events that were not sent yet. */
export class Follower {
  readonly username: string
  /** The only workspace of its API key; null: no restriction. */
  readonly onlyIn: string | null
  readonly wakeSignal = new WakeSignal()
  /** Only events with a greater id are added. */
  from = 0n
  #pending: LiveEvent[] = []
  #hasOverflowed = false

  constructor({ username, onlyIn }: Pick<Follower, 'username' | 'onlyIn'>) {
    this.username = username
    this.onlyIn = onlyIn
  }

  add(event: LiveEvent): void {
    if (event.id <= this.from) return
    if (this.#pending.length < pendingMax) this.#pending.push(event)
    else this.#hasOverflowed = true
    this.wakeSignal.notify()
  }

  /** Removes and returns the pending events; undefined when some were lost. */
  take(): LiveEvent[] | undefined {
    const taken = this.#hasOverflowed ? undefined : this.#pending
    this.#pending = []
    this.#hasOverflowed = false
    return taken
  }
}
