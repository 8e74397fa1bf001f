import { connectionOf } from '../../db/connection.js'
import type { Bell } from '../bell.js'

/** Those who receive events in this process: whoever sends to one of them needs no notification. */
export class LocalBells {
  readonly #bells = new Map<string, Set<Bell>>()

  /** Until it is disposed of. */
  add(place: string, bell: Bell): Disposable {
    const bells = this.#bells.get(place) ?? new Set()
    this.#bells.set(place, bells.add(bell))
    return {
      [Symbol.dispose]: () => {
        bells.delete(bell)
        if (bells.size === 0 && this.#bells.get(place) === bells) this.#bells.delete(place)
      },
    }
  }

  /** False when nobody receives there in this process. */
  ring(place: string): boolean {
    const bells = this.#bells.get(place)
    for (const bell of bells ?? []) bell.ring()
    return bells !== undefined
  }
}

const ofDatabases = new Map<string, LocalBells>()

/** One for all services of this process that use the same database, whoever they are there. */
export function localBellsOf(databaseUrl: string): LocalBells {
  const { host, port, database } = connectionOf(databaseUrl)
  const name = JSON.stringify([host, port, database])
  const bells = ofDatabases.get(name) ?? new LocalBells()
  ofDatabases.set(name, bells)
  return bells
}
