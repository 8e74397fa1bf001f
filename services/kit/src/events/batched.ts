import { setImmediate } from 'node:timers/promises'

/**
 * Combines single requests into batches: `work` gets all requests since its last call and returns a result per
 * request. It never runs concurrently.
 */
export function batched<Request, Result>(
  work: (requests: Request[]) => Promise<Map<Request, Result>>,
): (one: Request) => Promise<Result | undefined> {
  let isWorking = false
  let waiting = new Map<Request, { resolve(result?: Result): void; reject(error: unknown): void }>()
  const runBatches = async () => {
    isWorking = true
    while (waiting.size > 0) {
      // Let the other callers that were woken by the same event add their requests first.
      await setImmediate()
      const batch = waiting
      waiting = new Map()
      try {
        const results = await work([...batch.keys()])
        for (const [one, { resolve }] of batch) resolve(results.get(one))
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
    }
    isWorking = false
  }
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.set(one, { resolve, reject })
      if (!isWorking) void runBatches()
    })
}
