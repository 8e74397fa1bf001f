// npm passes Ctrl-C on to a child that the terminal has told already: that is one wish, not two.
const sameWishMs = 1000

export type StopSignals = Disposable & {
  /** Resolves at the first SIGINT or SIGTERM. */
  requested: Promise<NodeJS.Signals>
  isRequested(): boolean
}

/**
 * The one place that answers SIGINT and SIGTERM: the first asks for a graceful stop, a second calls
 * `force`, which ends the process.
 */
export function catchSignals(force: (signal: NodeJS.Signals) => void): StopSignals {
  let firstAt: number | undefined
  let resolve: (signal: NodeJS.Signals) => void
  const requested = new Promise<NodeJS.Signals>((done) => {
    resolve = done
  })
  const listener = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (firstAt === undefined) {
      firstAt = now
      resolve(signal)
    } else if (now - firstAt > sameWishMs) force(signal)
  }
  process.on('SIGINT', listener).on('SIGTERM', listener)
  return {
    requested,
    isRequested: () => firstAt !== undefined,
    [Symbol.dispose]: () => process.off('SIGINT', listener).off('SIGTERM', listener),
  }
}
