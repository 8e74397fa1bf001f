import { Bell } from '@figbase/kit'
import type { LiveEvent } from '../queries/live-events.js'

/** Beyond this, a follower that reads slowly is given its events from the table again. */
const waitingMax = 1000

/** One who follows: what came for it and was not sent yet. */
export class Follower {
  readonly username: string
  /** The one workspace that its API key is for; null: no such bound. */
  readonly onlyIn: string | null
  readonly bell = new Bell()
  /** What comes is newer than this. */
  from = 0n
  #waiting: LiveEvent[] = []
  #hasLost = false

  constructor({ username, onlyIn }: Pick<Follower, 'username' | 'onlyIn'>) {
    this.username = username
    this.onlyIn = onlyIn
  }

  add(event: LiveEvent): void {
    if (event.id <= this.from) return
    if (this.#waiting.length < waitingMax) this.#waiting.push(event)
    else this.#hasLost = true
    this.bell.ring()
  }

  /** What waits; undefined when some of it was lost. */
  take(): LiveEvent[] | undefined {
    const taken = this.#hasLost ? undefined : this.#waiting
    this.#waiting = []
    this.#hasLost = false
    return taken
  }
}
