/** Poll interval that starts at `minMs` and doubles with each unsuccessful poll up to `maxMs`. */
export class PollInterval {
  #ms = 0

  constructor(
    readonly minMs: number,
    readonly maxMs: number,
  ) {}

  /** Returns the next interval, in milliseconds. */
  next(): number {
    this.#ms = Math.min(Math.max(this.minMs, 2 * this.#ms), this.maxMs)
    return this.#ms
  }

  /** Starts at `minMs` again, after a successful poll or a wake signal. */
  reset(): void {
    this.#ms = 0
  }
}
