/** When something is to be tried again, to the second, so that few times are kept of many failures. */
export class RetryTimes {
  readonly #seconds = new Set<number>()

  add(delayMs: number): void {
    this.#seconds.add(Math.ceil((performance.now() + delayMs) / 1000))
  }

  /** Forgets the times that are over: call it before what is due is tried again. */
  forgetPast(): void {
    const now = performance.now()
    for (const second of this.#seconds) if (second * 1000 <= now) this.#seconds.delete(second)
  }

  /** How long it takes to the next time, at most `max`. */
  nextMs(max: number): number {
    const next = Math.min(...this.#seconds) * 1000 - performance.now()
    return Math.min(max, Math.max(0, next))
  }
}
