/** Resolves after `ms`; rejects with the reason of the signal when it is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const delayMinMs = 250
const delayMaxMs = 10_000

/** A random part of a time that doubles with each attempt, so that clients do not come back at the same moment. */
export const backoffMs = (attempt: number): number =>
  Math.min(delayMinMs * 2 ** (attempt - 1), delayMaxMs) * (0.5 + Math.random() / 2)
