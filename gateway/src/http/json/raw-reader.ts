import { isUtf8 } from 'node:buffer'
import { BodyError } from './body-error.js'
import type { ByteSource } from './byte-source.js'
import { badText, findBadText } from './text-check.js'
import { ValueEnd } from './value-end.js'

// Only an escape can bring in U+0000 or half a surrogate pair: JSON forbids the first as it is, UTF-8
// the second. Rare enough that the value is walked only when this matches.
const suspectEscape = /\\u(?:0000|d[89a-f])/i

const collectedBytesMin = 4096

/** Reads whole JSON values as the text that was sent. */
export class RawReader {
  readonly #input: ByteSource
  readonly #bytesMax: number
  readonly #depthMax: number
  // A copy of what earlier chunks held of the value: to keep the chunks themselves would keep the
  // whole pool behind each of them.
  #collected = Buffer.alloc(0)
  #length = 0

  constructor(input: ByteSource, limits: { memberBytesMax: number; depthMax: number }) {
    this.#input = input
    this.#bytesMax = limits.memberBytesMax
    this.#depthMax = limits.depthMax
  }

  /** The value that begins at the position, checked; `depth` brackets are open around it. */
  *read(field: string, depth: number): Generator<undefined, string> {
    const { raw, value } = yield* this.#checked(field, depth)
    if (suspectEscape.test(raw)) {
      const bad = findBadText(value, field)
      if (bad) throw new BodyError(bad.field, bad.reason, 'invalid')
    }
    return raw
  }

  /** The name that begins at the position, unescaped; `path` is the object that carries it. */
  *readName(path: string): Generator<undefined, string> {
    const { raw, value } = yield* this.#checked(path, 0)
    const name = String(value)
    const fault = suspectEscape.test(raw) && badText(name)
    if (fault) throw new BodyError(path, `The name of a member contains ${fault}.`, 'invalid')
    return name
  }

  *#checked(field: string, depth: number): Generator<undefined, { raw: string; value: unknown }> {
    const bytes = yield* this.#collect(field, depth)
    if (!isUtf8(bytes)) throw this.#input.malformed('invalid UTF-8 before this place')
    const raw = bytes.toString('utf8')
    try {
      return { raw, value: JSON.parse(raw) }
    } catch {
      throw this.#input.malformed('a mistake before this place')
    }
  }

  *#collect(field: string, depth: number): Generator<undefined, Buffer> {
    const { chunk, position } = this.#input
    const first = chunk[position]
    const scan = new ValueEnd(first, depth, this.#depthMax, field)
    this.#length = 0
    do {
      const { chunk, position: start } = this.#input
      const room = this.#bytesMax - this.#length
      const end = scan.advance(chunk, start, Math.min(chunk.length, start + room + 1))
      this.#input.position = end
      if (end - start > room) throw tooLong(field, this.#bytesMax)
      if (scan.found && this.#length === 0) return chunk.subarray(start, end)
      this.#append(chunk, start, end)
      if (scan.found) return this.#collected.subarray(0, this.#length)
    } while (yield* this.#input.more())
    if (scan.isScalar) return this.#collected.subarray(0, this.#length)
    throw this.#input.malformed('it ends too early')
  }

  #append(chunk: Buffer, start: number, end: number): void {
    const length = this.#length + end - start
    if (length > this.#collected.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(collectedBytesMin, length * 2))
      this.#collected.copy(larger, 0, 0, this.#length)
      this.#collected = larger
    }
    chunk.copy(this.#collected, this.#length, start, end)
    this.#length = length
  }
}

function tooLong(field: string, bytesMax: number): BodyError {
  return new BodyError(field, `The value is longer than ${bytesMax} bytes.`, 'too_large')
}
