import { BodyError } from './body-error.js'

/**
 * Finds where a value ends by its brackets and quotes alone; whether it is valid is for JSON.parse
 * to say, which a bound on size and depth makes safe to ask.
 */
export class ValueEnd {
  found = false
  /** A number or a word: it has no end of its own, the end of the body is as good. */
  readonly isScalar: boolean
  readonly #outer: number
  readonly #depthMax: number
  readonly #field: string
  #depth: number
  #inString = false
  #escaped = false

  constructor(first: number | undefined, depth: number, depthMax: number, field: string) {
    this.isScalar = first !== 0x22 && first !== 0x7b && first !== 0x5b
    this.#outer = depth
    this.#depth = depth
    this.#depthMax = depthMax
    this.#field = field
  }

  /** The place after the value's end when `found`, else `end`. */
  advance(chunk: Buffer, start: number, end: number): number {
    return this.isScalar ? this.#skipScalar(chunk, start, end) : this.#skip(chunk, start, end)
  }

  #skipScalar(chunk: Buffer, start: number, end: number): number {
    for (let i = start; i < end; i++) {
      const byte = chunk[i]
      // A comma, a closing bracket or white space.
      if (byte === 0x2c || byte === 0x7d || byte === 0x5d || (byte ?? 0) <= 0x20) {
        this.found = true
        return i
      }
    }
    return end
  }

  #skip(chunk: Buffer, start: number, end: number): number {
    let inString = this.#inString
    for (let i = start; i < end; i++) {
      const byte = chunk[i]
      if (inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === 0x5c) this.#escaped = true
        else if (byte === 0x22) {
          inString = false
          if (this.#depth === this.#outer) return this.#finish(i)
        }
      } else if (byte === 0x22) inString = true
      else if (byte === 0x7b || byte === 0x5b) this.#open()
      else if ((byte === 0x7d || byte === 0x5d) && --this.#depth === this.#outer) {
        return this.#finish(i)
      }
    }
    this.#inString = inString
    return end
  }

  #open(): void {
    if (++this.#depth > this.#depthMax) {
      const reason = `Values are nested deeper than ${this.#depthMax} levels.`
      throw new BodyError(this.#field, reason, 'invalid')
    }
  }

  #finish(last: number): number {
    this.found = true
    return last + 1
  }
}
