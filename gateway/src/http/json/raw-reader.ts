import { isUtf8 } from 'node:buffer'
import { BodyError } from './body-error.js'
import type { ByteSource } from './byte-source.js'
import { findInvalidText, invalidTextReason, mayContainInvalidText } from './text-check.js'
import { ValueScan } from './value-scan.js'

const collectedBytesMin = 4096

/** Reads whole JSON values as the text that was sent. */
export class RawReader {
  readonly #input: ByteSource
  readonly #bytesMax: number
  readonly #scan: ValueScan
  // The part of the value in earlier chunks, copied: keeping the chunks would keep the whole buffer pool
  // behind each of them.
  #collected = Buffer.alloc(0)
  #length = 0

  constructor(input: ByteSource, limits: { memberBytesMax: number; depthMax: number }) {
    this.#input = input
    this.#bytesMax = limits.memberBytesMax
    this.#scan = new ValueScan(limits.depthMax)
  }

  /** Reads and checks the value at the position; `depth` is the number of open brackets around it. */
  *read(field: string, depth: number): Generator<undefined, string> {
    const raw = yield* this.#readText(field, depth)
    if (this.#scan.hasEscapes && mayContainInvalidText(raw)) {
      const bad = findInvalidText(JSON.parse(raw), field)
      if (bad) throw new BodyError(bad.field, bad.reason, 'invalid')
    }
    return raw
  }

  /** Reads the name at the position, unescaped; `path` is that of its object. */
  *readName(path: string): Generator<undefined, string> {
    const raw = yield* this.#readText(path, 0)
    if (!this.#scan.hasEscapes) return raw.slice(1, -1)
    const name = String(JSON.parse(raw))
    const fault = invalidTextReason(name)
    if (fault) throw new BodyError(path, `A member name contains ${fault}.`, 'invalid')
    return name
  }

  *#readText(field: string, depth: number): Generator<undefined, string> {
    const scan = this.#scan
    scan.start(field, depth)
    this.#length = 0
    for (;;) {
      const { chunk, position } = this.#input
      const room = this.#bytesMax - this.#length
      const end = scan.advance(chunk, position, Math.min(chunk.length, position + room + 1))
      this.#input.position = end
      if (scan.isInvalid) throw this.#input.malformed('unexpected character')
      if (end - position > room) {
        const reason = `The value is longer than ${this.#bytesMax} bytes.`
        throw new BodyError(field, reason, 'too_large')
      }
      if (scan.isDone && this.#length === 0) return this.#decode(chunk, position, end)
      this.#append(chunk, position, end)
      if (!scan.isDone && !(yield* this.#input.more())) {
        scan.end()
        if (scan.isInvalid) throw this.#input.malformed('unexpected end of input')
      }
      if (scan.isDone) return this.#decode(this.#collected, 0, this.#length)
    }
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

  #decode(bytes: Buffer, start: number, end: number): string {
    if (this.#scan.isAscii) return bytes.toString('latin1', start, end)
    if (!isUtf8(bytes.subarray(start, end))) {
      throw this.#input.malformed('invalid UTF-8 before this position')
    }
    return bytes.toString('utf8', start, end)
  }
}
