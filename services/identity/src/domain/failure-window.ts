export type FailureWindow = {
  isFull(key: string): boolean
  count(key: string): void
}

export type FailureWindowOptions = {
  failuresMax: number
  windowMs: number
  /** How many keys are remembered; beyond, the oldest are forgotten. */
  keysMax: number
  now(): number
}

/**
 * Counts failures a key in windows that begin with the first one. In memory and per process: with
 * n replicas a caller has up to n times as many attempts, which argon2 makes bearable.
 */
export function createFailureWindow(options: FailureWindowOptions): FailureWindow {
  const { failuresMax, windowMs, keysMax, now } = options
  const windows = new Map<string, { failures: number; endsAt: number }>()
  const current = (key: string) => {
    const window = windows.get(key)
    if (window && window.endsAt > now()) return window
    windows.delete(key)
    return undefined
  }
  return {
    isFull: (key) => (current(key)?.failures ?? 0) >= failuresMax,
    count(key) {
      const window = current(key)
      if (window) {
        window.failures++
        return
      }
      const [oldest] = windows.keys()
      if (windows.size >= keysMax && oldest !== undefined) windows.delete(oldest)
      windows.set(key, { failures: 1, endsAt: now() + windowMs })
    },
  }
}
