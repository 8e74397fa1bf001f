import type { Filter, Neighbor, Place } from '../engine/port.js'
import { FloatRows } from './float-rows.js'
import { grown } from './grown.js'
import { Int8Rows } from './int8-rows.js'
import { LargestValues } from './largest-values.js'
import { PlaceColumns } from './place-columns.js'

export type VectorTableOptions = {
  dimensions: number
  /** So many rows are compared exactly; the others by their 8-bit integers, whose scores are a little off. */
  exactRowsMax: number
  rowsMax: number
}

export type TableRow = { id: string; place: Place; createdMs: number }

/** If fewer rows than one in so many are allowed, comparing only those is faster than scanning all. */
const sparseness = 8

/** Vectors of length 1 with their places, in dense slots: a removed row is replaced by the last one. */
export class VectorTable {
  readonly #slots = new Map<string, number>()
  readonly #ids: string[] = []
  readonly #places = new PlaceColumns()
  readonly #compact: Int8Rows
  readonly #exact: FloatRows
  #createdMs = new Float64Array(0)
  #scales = new Float32Array(0)
  #errors = new Float32Array(0)
  #mask = new Uint8Array(0)
  #estimates = new Float32Array(0)

  constructor(readonly options: VectorTableOptions) {
    this.#compact = new Int8Rows(options.dimensions)
    this.#exact = new FloatRows(options.dimensions)
  }

  get size(): number {
    return this.#ids.length
  }

  /** Adds or replaces a row. Throws if the table is full. */
  upsert({ id, place, createdMs }: TableRow, vector: Float32Array): void {
    const known = this.#slots.get(id)
    const slot = known ?? this.#ids.length
    if (slot >= this.options.rowsMax) throw new Error(`more than ${this.options.rowsMax} vectors`)
    this.#reserve(slot + 1)
    const { scale, error } = this.#compact.set(slot, vector)
    if (slot < this.options.exactRowsMax) this.#exact.set(slot, vector)
    if (known !== undefined) this.#places.remove(slot)
    this.#places.add(slot, id, place)
    this.#slots.set(id, slot)
    this.#ids[slot] = id
    this.#scales[slot] = scale
    this.#errors[slot] = error
    this.#createdMs[slot] = createdMs
  }

  /** Changes the place of a row. Ignores ids that are not in the table. */
  place(id: string, place: Place): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#places.remove(slot)
    this.#places.add(slot, id, place)
  }

  /** Ignores ids that are not in the table. */
  remove(id: string): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#places.remove(slot)
    this.#slots.delete(id)
    const last = this.#ids.length - 1
    if (slot !== last) this.#moveLast(last, slot)
    this.#ids.length = last
  }

  /**
   * The `k` allowed rows nearest to a vector of length 1, nearest first, among equals the newest, then by id. Scores are
   * cosines mapped to 0 to 1.
   */
  nearest(query: Float32Array, filter: Pick<Filter, 'roots' | 'recent'>, k: number): Neighbor[] {
    const allowed = this.#places.allow(filter, this.size, this.#mask)
    if (allowed === 0 || k < 1) return []
    const isSparse = allowed * sparseness < this.size
    const candidates = isSparse ? this.#allowedSlots() : this.#candidates(query, k)
    return candidates
      .map((slot) => ({ slot, cosine: this.#cosine(slot, query) }))
      .sort((a, b) => b.cosine - a.cosine || this.#compareEquals(a.slot, b.slot))
      .slice(0, k)
      .map(({ slot, cosine }) => ({ id: this.#ids[slot] ?? '', score: toScore(cosine) }))
  }

  /** The allowed rows that may be among the `k` nearest: an estimate minus its error is surely below the cosine. */
  #candidates(query: Float32Array, k: number): number[] {
    const queryError = this.#compact.scan(query, this.size, this.#estimates)
    const surely = new LargestValues(k)
    for (let slot = 0; slot < this.size; slot++) {
      if (this.#mask[slot] === 0) continue
      const product = (this.#estimates[slot] as number) * (this.#scales[slot] as number)
      const estimate = Math.fround(product)
      this.#estimates[slot] = estimate
      surely.add(estimate - this.#errorAt(slot, queryError))
    }
    const threshold = surely.smallest()
    return this.#allowedSlots((slot) => {
      return (this.#estimates[slot] as number) + this.#errorAt(slot, queryError) >= threshold
    })
  }

  /** How much the estimate may differ from the result of `#cosine`. */
  #errorAt(slot: number, queryError: number) {
    const error = this.#errors[slot] as number
    const lost = slot < this.options.exactRowsMax ? error : 0
    return lost + (1 + error) * queryError + 1e-5
  }

  #allowedSlots(isWanted = (_slot: number) => true): number[] {
    const slots: number[] = []
    for (let slot = 0; slot < this.size; slot++) {
      if (this.#mask[slot] === 1 && isWanted(slot)) slots.push(slot)
    }
    return slots
  }

  #cosine(slot: number, query: Float32Array) {
    if (slot < this.options.exactRowsMax) return this.#exact.dot(slot, query)
    return this.#compact.dot(slot, query) * (this.#scales[slot] as number)
  }

  #compareEquals(a: number, b: number) {
    const newer = (this.#createdMs[b] as number) - (this.#createdMs[a] as number)
    return newer || ((this.#ids[a] ?? '') < (this.#ids[b] ?? '') ? -1 : 1)
  }

  #moveLast(last: number, slot: number) {
    const { exactRowsMax } = this.options
    const scale = this.#scales[last] as number
    if (slot < exactRowsMax) {
      const isExact = last < exactRowsMax
      this.#exact.set(slot, isExact ? this.#exact.get(last) : this.#compact.get(last, scale))
    }
    this.#compact.move(last, slot)
    this.#places.move(last, slot)
    this.#scales[slot] = scale
    this.#errors[slot] = this.#errors[last] as number
    this.#createdMs[slot] = this.#createdMs[last] as number
    const id = this.#ids[last] ?? ''
    this.#ids[slot] = id
    this.#slots.set(id, slot)
  }

  #reserve(rows: number) {
    this.#createdMs = grown(this.#createdMs, rows)
    this.#scales = grown(this.#scales, rows)
    this.#errors = grown(this.#errors, rows)
    this.#estimates = grown(this.#estimates, rows)
    this.#mask = grown(this.#mask, rows)
  }
}

const toScore = (cosine: number) => Math.min(1, Math.max(0, (1 + cosine) / 2))
