/**
 * A controller that `signal` aborts, too, until it is released. Not `AbortSignal.any`: Node.js 20 may collect its signal
 * before it fires.
 */
export function linkedController(signal: AbortSignal | undefined): {
  controller: AbortController
  release(): void
} {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return { controller, release: () => signal?.removeEventListener('abort', abort) }
}
