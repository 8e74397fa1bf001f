/** How long to rest between looks that find nothing: `minMs` first, then twice as long each time, up to `maxMs`. */
export class Idle {
  #ms = 0

  constructor(
    readonly minMs: number,
    readonly maxMs: number,
  ) {}

  /** Nothing was found: answers the next rest, in milliseconds. */
  next(): number {
    this.#ms = Math.min(Math.max(this.minMs, 2 * this.#ms), this.maxMs)
    return this.#ms
  }

  /** Something was found, or may be there: the next rest is short again. */
  reset(): void {
    this.#ms = 0
  }
}
