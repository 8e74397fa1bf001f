import { parseDatabaseUrl } from '../../db/parse-url.js'
import type { WakeSignal } from '../../timing/wake-signal.js'

/** The wake signals of the receivers in this process, by place; senders in this process need no NOTIFY. */
export class LocalWakeSignals {
  readonly #wakeSignals = new Map<string, Set<WakeSignal>>()

  /** Registers a signal until disposed. */
  add(place: string, wakeSignal: WakeSignal): Disposable {
    const wakeSignals = this.#wakeSignals.get(place) ?? new Set()
    this.#wakeSignals.set(place, wakeSignals.add(wakeSignal))
    return {
      [Symbol.dispose]: () => {
        wakeSignals.delete(wakeSignal)
        if (wakeSignals.size === 0 && this.#wakeSignals.get(place) === wakeSignals)
          this.#wakeSignals.delete(place)
      },
    }
  }

  /** Returns false if there is no receiver in this process. */
  notify(place: string): boolean {
    const wakeSignals = this.#wakeSignals.get(place)
    for (const wakeSignal of wakeSignals ?? []) wakeSignal.notify()
    return wakeSignals !== undefined
  }
}

const ofDatabases = new Map<string, LocalWakeSignals>()

/** One instance for all services of this process that use the same database, whatever their roles. */
export function localWakeSignalsOf(databaseUrl: string): LocalWakeSignals {
  const { host, port, database } = parseDatabaseUrl(databaseUrl)
  const name = JSON.stringify([host, port, database])
  const wakeSignals = ofDatabases.get(name) ?? new LocalWakeSignals()
  ofDatabases.set(name, wakeSignals)
  return wakeSignals
}
