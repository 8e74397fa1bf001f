type Part = IteratorResult<Uint8Array, unknown>

/** The body of a call. It can be sent again as long as at most `bytesMax` were read. */
export class ReplayableBody {
  readonly #source: AsyncIterator<Uint8Array, unknown>
  readonly #bytesMax: number
  /** The parts read so far, in order; the last may be pending. */
  #parts: Promise<Part>[] = []
  #bytes = 0
  #isReplayable = true
  #failure: unknown

  constructor(body: AsyncIterable<Uint8Array>, bytesMax: number) {
    this.#source = body[Symbol.asyncIterator]()
    this.#bytesMax = bytesMax
  }

  get isReplayable(): boolean {
    return this.#isReplayable
  }

  /** Opens the body from the beginning. Parts pending for an earlier reader are shared. */
  open(): AsyncIterable<Uint8Array> {
    let at = 0
    const next = () => this.#part(at++)
    const fail = async (error: unknown): Promise<Part> => {
      this.#failure ??= error
      if (!this.#isReplayable) await this.#failSource()
      return { done: true, value: undefined }
    }
    return { [Symbol.asyncIterator]: () => ({ next, throw: fail }) }
  }

  /** Releases the buffer: the body is not sent again. A failure is passed to its source. */
  settle(failure?: unknown): void {
    this.#failure ??= failure
    this.#isReplayable = false
    this.#parts = []
    void this.#failSource()
  }

  async #failSource(): Promise<void> {
    if (this.#failure !== undefined) await this.#source.throw?.(this.#failure).catch(() => {})
  }

  #part(at: number): Promise<Part> {
    const known = this.#parts[at]
    if (known) return known
    const read = this.#source.next()
    if (!this.#isReplayable) return read
    this.#parts.push(read)
    return read.then((part) => {
      this.#bytes += part.done ? 0 : part.value.length
      if (this.#bytes > this.#bytesMax) {
        this.#isReplayable = false
        this.#parts = []
      }
      return part
    })
  }
}
