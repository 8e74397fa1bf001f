import { Code, ConnectError } from '@connectrpc/connect'

export type Parts<Part> = {
  /** The next part. Undefined at the end of the stream. Throws if the client has disconnected. */
  next(): Promise<Part | undefined>
  /** Stops reading. */
  close(): void
}

/**
 * The parts of a call, pulled one at a time. An abort rejects a waiting pull, because not every transport
 * does. There is one slot instead of a race, because each race would leave a listener on the signal.
 */
export function partsOf<Part>(
  messages: AsyncIterable<{ part: Part }>,
  signal: AbortSignal,
): Parts<Part> {
  const iterator = messages[Symbol.asyncIterator]()
  const aborted = () => ConnectError.from(signal.reason, Code.Canceled)
  let rejectPull: (error: unknown) => void = () => {}
  const onAbort = () => rejectPull(aborted())
  signal.addEventListener('abort', onAbort)
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(aborted())
          return
        }
        rejectPull = reject
        iterator
          .next()
          .then((result) => resolve(result.done ? undefined : result.value.part), reject)
      }),
    close() {
      signal.removeEventListener('abort', onAbort)
      // Not awaited, because it may queue behind a pull that never ends.
      void iterator.return?.().catch(() => {})
    },
  }
}
