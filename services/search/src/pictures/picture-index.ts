import { hashWords } from './global.js'
import { globalBytes, globalWords, wordsOf } from './global-code.js'

/** `distance`: 0 (the same) to 1. */
export type Candidate = { id: string; slot: number; distance: number }

const hashBits = 32 * hashWords
const slotsAtFirst = 1024

/** The global descriptors of pictures in memory. Finds the nearest by comparing with all of them. */
export class PictureIndex {
  #words = new Uint32Array(slotsAtFirst * globalWords)
  #ids: (string | undefined)[] = []
  #slots = new Map<string, number>()
  #free: number[] = []

  get size(): number {
    return this.#slots.size
  }

  /** Adds or replaces a picture. Returns its slot, which does not change until it is removed. */
  set(id: string, global: Buffer): number {
    if (global.length !== globalBytes) throw new Error('not a global descriptor of this version')
    const slot = this.#slots.get(id) ?? this.#free.pop() ?? this.#ids.length
    this.#ids[slot] = id
    this.#slots.set(id, slot)
    if ((slot + 1) * globalWords > this.#words.length) this.#grow()
    this.#words.set(wordsOf(global), slot * globalWords)
    return slot
  }

  remove(id: string): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#slots.delete(id)
    this.#ids[slot] = undefined
    this.#free.push(slot)
  }

  /** The nearest `count` pictures that are allowed, nearest first, then by slot. */
  candidates(
    global: Buffer,
    count: number,
    isAllowed: (slot: number) => boolean = () => true,
  ): Candidate[] {
    const query = wordsOf(global)
    const nearest = new Nearest(count)
    for (let slot = 0; slot < this.#ids.length; slot++) {
      if (this.#ids[slot] === undefined || !isAllowed(slot)) continue
      nearest.add(slot, distanceTo(query, this.#words, slot * globalWords, nearest.limit))
    }
    return nearest.sorted().map(({ slot, distance }) => ({
      id: this.#ids[slot] as string,
      slot,
      distance: distance / hashBits,
    }))
  }

  #grow() {
    const words = new Uint32Array(2 * this.#words.length)
    words.set(this.#words)
    this.#words = words
  }
}

const whole = 1
const content = whole + hashWords
const centre = content + hashWords
const framed = centre + hashWords

/** The least distance of two parts, in bits; `limit` if it is not less. */
function distanceTo(query: Uint32Array, words: Uint32Array, at: number, limit: number): number {
  let least = bitsBetween(query, content, words, at + content, limit)
  // A mark beside the content changes the content, but not the whole.
  least = bitsBetween(query, whole, words, at + whole, least)
  least = bitsBetween(query, content, words, at + centre, least)
  least = bitsBetween(query, centre, words, at + content, least)
  const ours = query[0] as number
  const theirs = words[at] as number
  for (let i = 0; i < ours; i++) {
    const part = framed + i * hashWords
    least = bitsBetween(query, part, words, at + content, least)
    for (let k = 0; k < theirs; k++)
      least = bitsBetween(query, part, words, at + framed + k * hashWords, least)
  }
  for (let k = 0; k < theirs; k++)
    least = bitsBetween(query, content, words, at + framed + k * hashWords, least)
  return least
}

/** The number of different bits of two hashes; `limit` if it is not less. */
function bitsBetween(a: Uint32Array, i: number, b: Uint32Array, k: number, limit: number): number {
  let bits = 0
  for (let n = 0; n < hashWords; n++) {
    bits += ones((a[i + n] as number) ^ (b[k + n] as number))
    if (bits >= limit) return limit
  }
  return bits
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The least distances seen so far, as a heap with the largest of them first. */
class Nearest {
  #heap: { slot: number; distance: number }[] = []
  readonly #count: number

  constructor(count: number) {
    this.#count = count
  }

  /** Distances from this on are not kept. */
  get limit(): number {
    const largest = this.#heap[0]
    return this.#heap.length < this.#count || !largest ? hashBits + 1 : largest.distance
  }

  add(slot: number, distance: number): void {
    if (this.#count === 0 || distance >= this.limit) return
    if (this.#heap.length === this.#count) this.#heap[0] = { slot, distance }
    else this.#heap.push({ slot, distance })
    if (this.#heap.length === this.#count)
      this.#heap.sort((a, b) => b.distance - a.distance || b.slot - a.slot)
  }

  sorted() {
    return this.#heap.sort((a, b) => a.distance - b.distance || a.slot - b.slot)
  }
}
