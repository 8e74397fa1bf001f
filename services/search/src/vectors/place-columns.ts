import type { Filter, Place } from '../engine/port.js'
import { grown } from './grown.js'
import { InternedIds } from './interned-ids.js'

/** Numbers per row: the row itself, its item, its analysis, its workspace. */
const levels = 4
const isRoot = 1
const isRecent = 2

/** The places of rows, by the slot of the row, and which of them a filter allows. */
export class PlaceColumns {
  readonly #ids = new InternedIds()
  #numbers = new Int32Array(0)
  #isHidden = new Uint8Array(0)
  /** By number of an id; all 0 between two calls. */
  #flags = new Uint8Array(1)

  /** The slot must be free. */
  add(slot: number, id: string, place: Place): void {
    this.#numbers = grown(this.#numbers, levels * (slot + 1))
    this.#isHidden = grown(this.#isHidden, slot + 1)
    const ids = [id, place.itemId, place.analysisId, place.workspaceId]
    for (const [level, each] of ids.entries()) {
      this.#numbers[levels * slot + level] = this.#ids.use(each)
    }
    this.#isHidden[slot] = place.hiddenBy === null ? 0 : 1
  }

  /** Frees the slot. */
  remove(slot: number): void {
    for (let level = 0; level < levels; level++) {
      this.#ids.release(this.#numbers[levels * slot + level] ?? 0)
    }
  }

  /** Moves a row to a free slot, and frees its own. */
  move(from: number, to: number): void {
    this.#numbers.copyWithin(levels * to, levels * from, levels * (from + 1))
    this.#isHidden[to] = this.#isHidden[from] ?? 0
  }

  /** Sets `mask` to 1 for each of the first `count` slots that the filter allows, else to 0. Returns how many it allows. */
  allow(
    { roots, recent }: Pick<Filter, 'roots' | 'recent'>,
    count: number,
    mask: Uint8Array,
  ): number {
    const marked = [...this.#mark(roots, isRoot), ...this.#mark(recent, isRecent)]
    const [numbers, hidden, flags] = [this.#numbers, this.#isHidden, this.#flags]
    let allowed = 0
    for (let slot = 0, at = 0; slot < count; slot++, at += levels) {
      const found =
        (flags[numbers[at] as number] as number) |
        (flags[numbers[at + 1] as number] as number) |
        (flags[numbers[at + 2] as number] as number) |
        (flags[numbers[at + 3] as number] as number)
      // Without branches: bit 1 allows always, bit 0 if the row is not hidden.
      const isAllowed = (found >> 1) | (found & 1 & (1 - (hidden[slot] as number)))
      mask[slot] = isAllowed
      allowed += isAllowed
    }
    for (const number of marked) flags[number] = 0
    return allowed
  }

  #mark(ids: string[], flag: number): number[] {
    this.#flags = grown(this.#flags, this.#ids.limit)
    const numbers: number[] = []
    for (const id of ids) {
      const number = this.#ids.find(id)
      if (number === undefined) continue
      this.#flags[number] = (this.#flags[number] ?? 0) | flag
      numbers.push(number)
    }
    return numbers
  }
}
