/** The parts of a stream: not each browser can iterate over one. A reader that stops early cancels it. */
export async function* partsOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {})
  }
}
