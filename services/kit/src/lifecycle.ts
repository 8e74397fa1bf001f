import { createLogger } from './log.js'

const lateMs = 10_000

/** Disposes what was started, in reverse order, each even if another fails; what takes long is told. */
export class Lifecycle implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = []

  /** Registers how to stop something that runs from now on. */
  onStop(stop: () => unknown): void {
    this.#steps.push(stop)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = []
    for (let stop = this.#steps.pop(); stop; stop = this.#steps.pop()) {
      const late = setTimeout(tellLate, lateMs, stop)
      try {
        await stop()
      } catch (error) {
        errors.push(error)
      } finally {
        clearTimeout(late)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'stopping failed')
  }
}

/** Its source names what it stops. */
const tellLate = (stop: () => unknown) =>
  createLogger('lifecycle', 'warn').warn({ step: String(stop) }, 'stopping takes long')
