import { FigbaseError } from './figbase-error.js'

/**
 * The parts of a stream: not each browser can iterate over one. A reader that stops early cancels it, and so does
 * `signal`. With `silenceMsMax`, fails with `timed_out` when nothing arrives for so long while the reader waits.
 */
export async function* partsOf<T>(
  stream: ReadableStream<T>,
  { silenceMsMax, signal }: { silenceMsMax?: number; signal: AbortSignal },
): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  const stop = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  const read = () =>
    silenceMsMax === undefined ? reader.read() : inTime(reader.read(), silenceMsMax)
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await read()
      signal.throwIfAborted()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    if (!isDone) await reader.cancel().catch(() => {})
  }
}

async function inTime<T>(reading: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silent = new Promise<never>((_, reject) => {
    const detail = `nothing arrived for ${ms / 1000} s`
    timer = setTimeout(
      () => reject(new FigbaseError({ status: 0, error: 'timed_out', detail })),
      ms,
    )
  })
  return Promise.race([reading, silent]).finally(() => clearTimeout(timer))
}
