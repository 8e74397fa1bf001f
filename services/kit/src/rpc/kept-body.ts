type Part = IteratorResult<Uint8Array, unknown>

/** The body of a call, which can be sent again as long as not more than so much of it was read. */
export class KeptBody {
  readonly #source: AsyncIterator<Uint8Array, unknown>
  readonly #bytesMax: number
  /** What was read, in order; the last may still be awaited. */
  #parts: Promise<Part>[] = []
  #bytes = 0
  #isKept = true
  #failure: unknown

  constructor(body: AsyncIterable<Uint8Array>, bytesMax: number) {
    this.#source = body[Symbol.asyncIterator]()
    this.#bytesMax = bytesMax
  }

  get isKept(): boolean {
    return this.#isKept
  }

  /** From the beginning. What another one still waits for is not lost to this one. */
  open(): AsyncIterable<Uint8Array> {
    let at = 0
    const next = () => this.#part(at++)
    const fail = async (error: unknown): Promise<Part> => {
      this.#failure ??= error
      if (!this.#isKept) await this.#tellSource()
      return { done: true, value: undefined }
    }
    return { [Symbol.asyncIterator]: () => ({ next, throw: fail }) }
  }

  /** It is not sent again: nothing of it is held, and its source hears of what failed, if anything did. */
  settle(failure?: unknown): void {
    this.#failure ??= failure
    this.#isKept = false
    this.#parts = []
    void this.#tellSource()
  }

  async #tellSource(): Promise<void> {
    if (this.#failure !== undefined) await this.#source.throw?.(this.#failure).catch(() => {})
  }

  #part(at: number): Promise<Part> {
    const known = this.#parts[at]
    if (known) return known
    const read = this.#source.next()
    if (!this.#isKept) return read
    this.#parts.push(read)
    return read.then((part) => {
      this.#bytes += part.done ? 0 : part.value.length
      if (this.#bytes > this.#bytesMax) {
        this.#isKept = false
        this.#parts = []
      }
      return part
    })
  }
}
