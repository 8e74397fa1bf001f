import { int8Program } from './int8-program.js'
import { Instance, Memory, Module } from './web-assembly.js'

const pageBytes = 65_536
/** The query and the results of one block are in the first pages. */
const headBytes = 2 * pageBytes
const resultsAt = pageBytes
const blockRows = 4096
const growthPages = 160
const rowMax = 127

type Scan = (rows: number, query: number, out: number, count: number, width: number) => void

/** Largest length of a vector: the query must fit in its page. */
export const dimensionsMax = 8192

/**
 * Vectors of length 1 as 8-bit integers with one scale for each row: a quarter of the memory, and fast to scan. The
 * results differ from the exact ones by at most `errorOf(slot)` plus `queryError`.
 */
export class Int8Rows {
  readonly #width: number
  readonly #memory = new Memory({ initial: headBytes / pageBytes })
  readonly #scan: Scan

  constructor(readonly dimensions: number) {
    if (dimensions > dimensionsMax) throw new Error(`vectors have at most ${dimensionsMax} numbers`)
    this.#width = 16 * Math.ceil(dimensions / 16)
    const instance = new Instance(new Module(int8Program), {
      m: { m: this.#memory },
    })
    this.#scan = instance.exports.scan as Scan
  }

  /** Stores a row. Returns its scale, and the length of the difference between it and what is stored. */
  set(slot: number, vector: Float32Array): { scale: number; error: number } {
    this.#reserve(slot + 1)
    const row = new Int8Array(this.#memory.buffer, this.#rowAt(slot), this.#width)
    const scale = largest(vector) / rowMax || 1
    let squares = 0
    for (let n = 0; n < vector.length; n++) {
      const value = vector[n] as number
      const rounded = Math.round(value / scale)
      row[n] = rounded
      squares += (value - rounded * scale) ** 2
    }
    return { scale, error: Math.sqrt(squares) }
  }

  /** The stored vector, as it was up to the error. */
  get(slot: number, scale: number): Float32Array {
    const row = new Int8Array(this.#memory.buffer, this.#rowAt(slot), this.dimensions)
    return Float32Array.from(row, (value) => value * scale)
  }

  /** The dot product of a row with a query, except for the scale of the row. */
  dot(slot: number, query: Float32Array): number {
    const row = new Int8Array(this.#memory.buffer, this.#rowAt(slot), this.dimensions)
    let sum = 0
    for (let n = 0; n < query.length; n++) sum += (row[n] as number) * (query[n] as number)
    return sum
  }

  move(from: number, to: number): void {
    const start = this.#rowAt(from)
    new Uint8Array(this.#memory.buffer).copyWithin(this.#rowAt(to), start, start + this.#width)
  }

  /**
   * Writes the dot products of the first `count` rows with a query of length 1 to `results`, except for the scales of
   * the rows, by which they are still to be multiplied. Returns the length of the difference between the query and what was used.
   */
  scan(query: Float32Array, count: number, results: Float32Array): number {
    // So that no sum exceeds 32 bits.
    const queryMax = Math.min(8191, Math.floor(2 ** 31 / (rowMax * (this.#width + 1))))
    const scale = largest(query) / queryMax || 1
    const stored = new Int16Array(this.#memory.buffer, 0, this.#width)
    let squares = 0
    for (let n = 0; n < query.length; n++) {
      const value = query[n] as number
      const rounded = Math.round(value / scale)
      stored[n] = rounded
      squares += (value - rounded * scale) ** 2
    }
    const block = new Int32Array(this.#memory.buffer, resultsAt, blockRows)
    for (let first = 0; first < count; first += blockRows) {
      const rows = Math.min(blockRows, count - first)
      this.#scan(this.#rowAt(first), 0, resultsAt, rows, this.#width)
      for (let n = 0; n < rows; n++) results[first + n] = (block[n] as number) * scale
    }
    return Math.sqrt(squares)
  }

  #rowAt(slot: number) {
    return headBytes + slot * this.#width
  }

  #reserve(rows: number) {
    const missing = this.#rowAt(rows) - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.max(growthPages, Math.ceil(missing / pageBytes)))
  }
}

function largest(vector: Float32Array) {
  let found = 0
  for (const value of vector) found = Math.max(found, Math.abs(value))
  return found
}
