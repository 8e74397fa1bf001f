export class TimedOut extends Error {
  override name = 'TimedOut'
}

/** Returns the result of `work`; rejects with `TimedOut` after `timeoutMs` (the work is not canceled). */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    const error = new TimedOut(`timed out after ${timeoutMs} ms`)
    timer = setTimeout(reject, timeoutMs, error)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
