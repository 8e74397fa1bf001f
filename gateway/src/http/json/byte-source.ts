import { BodyError } from './body-error.js'

const empty = Buffer.alloc(0)

/** The current chunk of a body and the position in it. */
export class ByteSource {
  chunk: Buffer = empty
  position = 0
  ended = false
  #before = 0

  feed(bytes: Uint8Array): void {
    this.#before += this.chunk.length
    this.chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = 0
  }

  end(): void {
    this.feed(empty)
    this.ended = true
  }

  /** Yields to request the next chunk; returns false at the end of the body. */
  *more(): Generator<undefined, boolean> {
    while (this.position === this.chunk.length) {
      if (this.ended) return false
      yield
    }
    return true
  }

  /** Peeks at the next byte that is not white space; the end of the body is an error. */
  *token(): Generator<undefined, number> {
    for (;;) {
      const byte = this.#skipSpace()
      if (byte !== undefined) return byte
      if (!(yield* this.more())) throw this.malformed('unexpected end of input')
    }
  }

  /** Whether only white space follows. */
  *atEnd(): Generator<undefined, boolean> {
    while (this.#skipSpace() === undefined) if (!(yield* this.more())) return true
    return false
  }

  malformed(what: string): BodyError {
    const at = this.#before + this.position
    return new BodyError('', `The body is not valid JSON: ${what} (at byte ${at}).`, 'malformed')
  }

  #skipSpace(): number | undefined {
    for (; this.position < this.chunk.length; this.position++) {
      const byte = this.chunk[this.position]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
    }
    return undefined
  }
}
