import type { Logger } from '@figbase/kit/log'
import type { Session } from './tickets.js'

/** The notebook server of a session. */
export type Target = { address: string; token: string }

/** The targets of those of the sessions that are allowed now, by the id of the session. Rejects if it cannot tell. */
export type LoadTargets = (sessions: Session[]) => Promise<Map<string, Target>>

export type SessionsSettings = {
  checkMs: number
  uncheckedMsMax: number
  sessionRequestsMax: number
}

type Entry = {
  session: Session
  target: Target | undefined
  /** By `performance.now()`: when it was checked, and when it was asked for last. */
  checkedAt: number
  usedAt: number
  /** What is open, and how to close it. */
  open: Set<() => void>
}

/** An unused session is forgotten after this time, and read again if it is used. */
const unusedMsMax = 60_000
const batch = 500

/**
 * The sessions that this process serves. What a session has open is closed soon after it is not allowed any more: each
 * is checked again every `checkMs` while something is open, all with the same few calls.
 */
export class Sessions implements AsyncDisposable {
  readonly #load: LoadTargets
  readonly #settings: SessionsSettings
  readonly #log: Logger
  readonly #entries = new Map<string, Entry>()
  readonly #timer: NodeJS.Timeout
  /** Those that wait for the next check, and the check. */
  #waiting = new Map<string, Entry>()
  #next: Promise<void> | undefined
  #isChecking = false

  constructor(load: LoadTargets, settings: SessionsSettings, log: Logger) {
    this.#load = load
    this.#settings = settings
    this.#log = log
    this.#timer = setInterval(() => void this.#checkOpen(), settings.checkMs)
  }

  /** The notebook server of a session; undefined if the session is not allowed. Rejects if that cannot be checked. */
  async target(session: Session): Promise<Target | undefined> {
    const entry = this.#entryOf(session)
    entry.usedAt = performance.now()
    if (this.#isStale(entry)) {
      try {
        await this.#checked(entry)
      } catch (error) {
        if (this.#isUnchecked(entry)) throw error
      }
    }
    return isOver(session) ? undefined : entry.target
  }

  /**
   * Notes that a session has something open; `close` is called when the session ends. Returns what to call when it is
   * closed; undefined if the session has too much open.
   */
  hold(session: Session, close: () => void): (() => void) | undefined {
    const { open } = this.#entryOf(session)
    if (open.size >= this.#settings.sessionRequestsMax) return undefined
    open.add(close)
    return () => void open.delete(close)
  }

  async [Symbol.asyncDispose]() {
    clearInterval(this.#timer)
    for (const entry of this.#entries.values()) closeAll(entry)
    await this.#next?.catch(() => {})
  }

  #entryOf(session: Session): Entry {
    const known = this.#entries.get(session.id)
    if (known) return known
    const entry: Entry = {
      session,
      target: undefined,
      checkedAt: Number.NEGATIVE_INFINITY,
      usedAt: performance.now(),
      open: new Set(),
    }
    this.#entries.set(session.id, entry)
    return entry
  }

  #isStale = ({ checkedAt }: Entry) => performance.now() - checkedAt >= this.#settings.checkMs

  #isUnchecked = ({ checkedAt }: Entry) =>
    performance.now() - checkedAt >= this.#settings.uncheckedMsMax

  /** Checks it with all others that wait now. */
  #checked(entry: Entry): Promise<void> {
    this.#waiting.set(entry.session.id, entry)
    this.#next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const entries = [...this.#waiting.values()]
      this.#waiting = new Map()
      this.#next = undefined
      return this.#check(entries)
    })
    return this.#next
  }

  async #check(entries: Entry[]) {
    for (let at = 0; at < entries.length; at += batch) {
      const part = entries.slice(at, at + batch)
      // What the check finds is as old as its begin.
      const checkedAt = performance.now()
      const targets = await this.#load(part.map(({ session }) => session))
      for (const entry of part) {
        entry.target = targets.get(entry.session.id)
        entry.checkedAt = checkedAt
        if (!entry.target) closeAll(entry)
      }
    }
  }

  async #checkOpen() {
    const now = performance.now()
    const open: Entry[] = []
    for (const [id, entry] of this.#entries) {
      if (entry.open.size > 0) open.push(entry)
      else if (now - entry.usedAt > unusedMsMax) this.#entries.delete(id)
      if (isOver(entry.session)) closeAll(entry)
    }
    if (open.length === 0 || this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#check(open)
    } catch (err) {
      this.#log.warn({ err }, 'users of open notebooks cannot be checked')
      for (const entry of open) if (this.#isUnchecked(entry)) closeAll(entry)
    } finally {
      this.#isChecking = false
    }
  }
}

const isOver = ({ expiresAtMs }: Session) => expiresAtMs <= Date.now()

function closeAll({ open }: Entry) {
  for (const close of open) close()
}
