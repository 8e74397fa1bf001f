import { readFileSync } from 'node:fs'
import { Instance, Memory, Module } from '../vectors/web-assembly.js'
import { hashWords } from './global.js'
import { globalBytes } from './global-code.js'

/** `distance`: 0 (the same) to 1. */
export type Candidate = { id: string; slot: number; distance: number }

const hashBits = 32 * hashWords
const pageBytes = 65_536
/** In the first page: the query, and of each picture of a block whether it is allowed, and its distance. */
const queryAt = 0
const allowedAt = 1024
const distancesAt = 8192
const blockPictures = 4096
const picturesAt = pageBytes
const growthPages = 64

type Scan = (
  query: number,
  pictures: number,
  allowed: number,
  out: number,
  count: number,
  bytes: number,
) => void

const program = new Module(readFileSync(new URL('./hash-program.wasm', import.meta.url)))

/** The global descriptors of pictures in memory. Finds the nearest by comparing with all of them. */
export class PictureIndex {
  readonly #memory = new Memory({ initial: picturesAt / pageBytes })
  readonly #scan = new Instance(program, { index: { memory: this.#memory } }).exports.scan as Scan
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
    this.#reserve(slot + 1)
    this.#ids[slot] = id
    this.#slots.set(id, slot)
    this.#write(picturesAt + slot * globalBytes, global)
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
    const nearest = new Nearest(count)
    this.#write(queryAt, global)
    const allowed = new Uint8Array(this.#memory.buffer, allowedAt, blockPictures)
    const distances = new Uint16Array(this.#memory.buffer, distancesAt, blockPictures)
    for (let first = 0; first < this.#ids.length; first += blockPictures) {
      const pictures = Math.min(blockPictures, this.#ids.length - first)
      for (let n = 0; n < pictures; n++)
        allowed[n] = this.#ids[first + n] !== undefined && isAllowed(first + n) ? 1 : 0
      const at = picturesAt + first * globalBytes
      this.#scan(queryAt, at, allowedAt, distancesAt, pictures, globalBytes)
      for (let n = 0; n < pictures; n++)
        if (allowed[n]) nearest.add(first + n, distances[n] as number)
    }
    return nearest.sorted().map(({ slot, distance }) => ({
      id: this.#ids[slot] as string,
      slot,
      distance: distance / hashBits,
    }))
  }

  #write(at: number, bytes: Buffer) {
    new Uint8Array(this.#memory.buffer, at, globalBytes).set(bytes)
  }

  #reserve(pictures: number) {
    const missing = picturesAt + pictures * globalBytes - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.max(growthPages, Math.ceil(missing / pageBytes)))
  }
}

/** The least distances seen so far, with the number of each. Slots are added in their order. */
class Nearest {
  readonly #found: { slot: number; distance: number }[] = []
  readonly #counts = new Uint32Array(hashBits + 2)
  readonly #count: number
  /** How many distances are at most `limit`. */
  #atMost = 0
  /** Distances from this on are not kept: enough are at most this. */
  limit = hashBits + 1

  constructor(count: number) {
    this.#count = count
    if (count === 0) this.limit = 0
  }

  add(slot: number, distance: number): void {
    if (distance >= this.limit) return
    this.#found.push({ slot, distance })
    this.#counts[distance] = this.#countOf(distance) + 1
    this.#atMost++
    while (this.#atMost - this.#countOf(this.limit) >= this.#count)
      this.#atMost -= this.#countOf(this.limit--)
  }

  sorted() {
    return this.#found
      .sort((a, b) => a.distance - b.distance || a.slot - b.slot)
      .slice(0, this.#count)
  }

  #countOf(distance: number): number {
    return this.#counts[distance] ?? 0
  }
}
