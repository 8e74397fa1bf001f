import { TimedOut } from './with-timeout.js'

/**
 * Runs work with a signal that is aborted with `caller`, and after `timeoutMs` with `TimedOut` as its reason. It has a
 * timer of its own, because Node.js 20 may collect `AbortSignal.any` over `AbortSignal.timeout` before it fires.
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const abort = () => end.abort(caller.reason)
  const expire = () => end.abort(new TimedOut(`timed out after ${timeoutMs} ms`))
  const timer = setTimeout(expire, timeoutMs)
  caller.addEventListener('abort', abort, { once: true })
  if (caller.aborted) abort()
  try {
    return await work(end.signal)
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', abort)
  }
}
