import type { IncomingMessage } from 'node:http'
import { HttpError } from './errors.js'

export type ThroughputLimits = {
  /** How long a client may send nothing. */
  idleMs: number
  /** Minimum average over a window; 0: no limit. */
  bytesPerSecondMin: number
  windowMs: number
}

/** Reads request bodies with a minimum throughput: 408 if the client pauses too long or sends too slowly. */
export type BodyReader = {
  chunksOf(req: IncomingMessage): AsyncGenerator<Uint8Array>
  stop(): void
}

/** A body being received. Only the time spent waiting for the client counts. */
type Transfer = {
  waitingSince: number | undefined
  /** In the current window, like `bytes`. */
  waitedMs: number
  bytes: number
  reject(error: HttpError): void
}

/** One timer checks all bodies, so that a chunk costs only two clock reads. */
export function createBodyReader(limits: ThroughputLimits): BodyReader {
  const transfers = new Set<Transfer>()
  const everyMs = Math.max(10, Math.min(limits.idleMs, limits.windowMs, 4000) / 4)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const transfer of transfers) rejectIfTooSlow(transfer, now, limits)
  }, everyMs)
  timer.unref()
  return { chunksOf: (req) => chunksOf(req, transfers), stop: () => clearInterval(timer) }
}

async function* chunksOf(
  req: IncomingMessage,
  transfers: Set<Transfer>,
): AsyncGenerator<Uint8Array> {
  const chunks = req.iterator({ destroyOnReturn: false })
  const transfer: Transfer = { waitingSince: undefined, waitedMs: 0, bytes: 0, reject() {} }
  transfers.add(transfer)
  try {
    for (;;) {
      const next = await nextOf(chunks, transfer)
      if (next.done) return
      transfer.bytes += next.value.length
      yield next.value
    }
  } finally {
    transfers.delete(transfer)
    // While a read is pending, `return` would wait for it.
    const ended = chunks.return?.()
    if (transfer.waitingSince === undefined) await ended
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>, transfer: Transfer) {
  const since = performance.now()
  transfer.waitingSince = since
  const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
    transfer.reject = reject
    chunks.next().then(resolve, reject)
  })
  transfer.waitingSince = undefined
  transfer.waitedMs += performance.now() - since
  return next
}

function rejectIfTooSlow(transfer: Transfer, now: number, limits: ThroughputLimits) {
  if (transfer.waitingSince === undefined) return
  const silentMs = now - transfer.waitingSince
  if (silentMs > limits.idleMs) {
    transfer.reject(tooSlow(`no data received for ${limits.idleMs / 1000} seconds`))
    return
  }
  const waitedMs = transfer.waitedMs + silentMs
  if (waitedMs < limits.windowMs) return
  if (transfer.bytes * 1000 < limits.bytesPerSecondMin * waitedMs) {
    transfer.reject(
      tooSlow(`the body was sent at less than ${limits.bytesPerSecondMin} bytes per second`),
    )
    return
  }
  // Starts a new window. The current wait began before it, so its time so far must not count.
  transfer.waitedMs = -silentMs
  transfer.bytes = 0
}

const tooSlow = (detail: string) =>
  new HttpError(408, 'request_timeout', detail, { connection: 'close' })
