import { createLogger } from '../log.js'

const slowMs = 10_000

/** Stops what was started, in reverse order, even if a step fails; slow steps are logged. */
export class Lifecycle implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = []

  /** Registers a shutdown step. */
  onStop(stop: () => unknown): void {
    this.#steps.push(stop)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = []
    for (let stop = this.#steps.pop(); stop; stop = this.#steps.pop()) {
      const slowTimer = setTimeout(warnSlow, slowMs, stop)
      try {
        await stop()
      } catch (error) {
        errors.push(error)
      } finally {
        clearTimeout(slowTimer)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'shutdown failed')
  }
}

/** Logs the source of the step, which names what it stops. */
const warnSlow = (stop: () => unknown) =>
  createLogger('lifecycle', 'warn').warn({ step: String(stop) }, 'shutdown step is slow')
