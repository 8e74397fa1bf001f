/** A controller that is aborted together with any of the signals. */
export function abortedWith(...signals: (AbortSignal | undefined)[]): AbortController {
  const end = new AbortController()
  const abort = () => end.abort()
  for (const signal of signals) {
    signal?.addEventListener('abort', abort, { signal: end.signal })
    if (signal?.aborted) abort()
  }
  return end
}
