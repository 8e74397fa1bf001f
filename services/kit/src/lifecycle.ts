/** Disposes what was started, in reverse order, each even if another fails. */
export class Lifecycle implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = []

  /** Registers how to stop something that runs from now on. */
  onStop(stop: () => unknown): void {
    this.#steps.push(stop)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = []
    for (let stop = this.#steps.pop(); stop; stop = this.#steps.pop()) {
      try {
        await stop()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'stopping failed')
  }
}
