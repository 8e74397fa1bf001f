import { FigbaseError } from './figbase-error.js'

/**
 * The parts of a stream: not each browser can iterate over one. A reader that stops early cancels it. With `silenceMsMax`,
 * fails with `timed_out` when nothing arrives for so long while the reader waits.
 */
export async function* partsOf<T>(
  stream: ReadableStream<T>,
  silenceMsMax?: number,
): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  const read = () =>
    silenceMsMax === undefined ? reader.read() : inTime(reader.read(), silenceMsMax)
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await read()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
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
