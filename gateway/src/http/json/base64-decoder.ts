import { BodyError } from './body-error.js'

/** The most characters per `write`, and the most bytes that it and `finish` may add. */
export const writeLengthMax = 64 * 1024
export const writeBytesMax = (writeLengthMax / 4) * 3 + 6

const bufferBytes = 256 * 1024

/**
 * Decodes base64 text chunk by chunk into one reused buffer. Node ignores invalid characters; here they
 * are errors: too few decoded bytes reveal them, and `-` and `_` are searched for.
 */
export class Base64Decoder {
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #filled = 0
  #held = ''
  #field = ''

  start(field: string): void {
    this.#held = ''
    this.#filled = 0
    this.#field = field
  }

  get hasRoom(): boolean {
    return bufferBytes - this.#filled >= writeBytesMax
  }

  /** Holds back the last one to four characters: only they may be padding, which `finish` checks. */
  write(text: string): void {
    const held = this.#held.length
    const length = held + text.length
    if (length <= 4) {
      this.#held += text
      return
    }
    const start = held === 0 ? 0 : 4 - held
    const end = text.length - (((length - 1) & 3) + 1)
    if (held !== 0) this.#decode(this.#held + text.slice(0, start))
    if (end > start) this.#decode(text.slice(start, end))
    this.#held = text.slice(end)
  }

  finish(): void {
    if (this.#held.length === 0) return
    if (this.#held.length !== 4) throw this.#error('its length is not a multiple of four')
    const start = this.#filled
    this.#filled += this.#buffer.write(this.#held, start, 'base64')
    // Encoding it again finds wrong characters, misplaced padding and bits beyond the last byte.
    if (this.#buffer.toString('base64', start, this.#filled) !== this.#held) {
      throw this.#error('its end is invalid')
    }
  }

  /** Returns the bytes decoded since the last call; valid until the next `write`. */
  take(): Uint8Array {
    const bytes = this.#buffer.subarray(0, this.#filled)
    this.#filled = 0
    return bytes
  }

  #decode(text: string): void {
    const written = this.#buffer.write(text, this.#filled, 'base64')
    if (written * 4 !== text.length * 3 || text.includes('-') || text.includes('_')) {
      throw this.#error('it contains an invalid character')
    }
    this.#filled += written
  }

  #error(what: string): BodyError {
    return new BodyError(this.#field, `The text is not valid base64: ${what}.`, 'invalid')
  }
}
