/** Wakes the one who waits; a ring while nobody waits is kept for the next wait. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Until it rings, `ms` have passed, or `signal` fires; answers whether it rang. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          this.#wake = undefined
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal.addEventListener('abort', wake)
        this.#wake = wake
      })
    }
    const rang = this.#rung
    this.#rung = false
    return rang
  }
}
