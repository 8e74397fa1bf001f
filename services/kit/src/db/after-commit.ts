/** Callbacks that run once a transaction has committed; none run if it is rolled back. */
export type AfterCommit = {
  /** Registering the same function several times runs it once. */
  register(tx: object, callback: () => void): void
  run(tx: object): void
}

export function createAfterCommit(): AfterCommit {
  const pending = new WeakMap<object, Set<() => void>>()
  return {
    register(tx, callback) {
      const callbacks = pending.get(tx)
      if (callbacks) callbacks.add(callback)
      else pending.set(tx, new Set([callback]))
    },
    run(tx) {
      for (const callback of pending.get(tx) ?? []) callback()
    },
  }
}
