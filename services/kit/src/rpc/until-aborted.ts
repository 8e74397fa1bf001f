import { Code, ConnectError } from '@connectrpc/connect'

/** Rejects when the signal fires, also if `work` ignores it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(ConnectError.from(signal.reason, Code.Canceled))
    stop = () => signal.removeEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    stop()
  }
}
