/** Wakes a waiter; a notification without a waiter is kept for the next wait. */
export class WakeSignal {
  #isPending = false
  #wake: (() => void) | undefined

  notify(): void {
    this.#isPending = true
    this.#wake?.()
  }

  /** Waits for a notification, `ms`, or `signal`; returns whether there was a notification. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isPending && !signal.aborted) {
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
    const wasNotified = this.#isPending
    this.#isPending = false
    return wasNotified
  }
}
