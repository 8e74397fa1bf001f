/** What is to be done when a transaction is committed, and not at all otherwise. */
export type AfterCommit = {
  /** Asked for several times, the same work is done once. */
  later(tx: object, work: () => void): void
  committed(tx: object): void
}

export function createAfterCommit(): AfterCommit {
  const waiting = new WeakMap<object, Set<() => void>>()
  return {
    later(tx, work) {
      const works = waiting.get(tx)
      if (works) works.add(work)
      else waiting.set(tx, new Set([work]))
    },
    committed(tx) {
      for (const work of waiting.get(tx) ?? []) work()
    },
  }
}
