// npm forwards Ctrl-C to a child that already received it from the terminal: this counts as one signal.
const duplicateSignalMs = 1000

export type StopSignals = Disposable & {
  /** Resolves at the first SIGINT or SIGTERM. */
  requested: Promise<NodeJS.Signals>
  isRequested(): boolean
}

/**
 * The only handler of SIGINT and SIGTERM: the first signal requests a graceful stop, a second one calls `force`, which
 * ends the process.
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
    } else if (now - firstAt > duplicateSignalMs) force(signal)
  }
  process.on('SIGINT', listener).on('SIGTERM', listener)
  return {
    requested,
    isRequested: () => firstAt !== undefined,
    [Symbol.dispose]: () => process.off('SIGINT', listener).off('SIGTERM', listener),
  }
}
