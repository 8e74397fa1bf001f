import type { IncomingMessage } from 'node:http'
import { HttpError } from './errors.js'

export type PaceLimits = {
  /** How long nothing may come. */
  idleMs: number
  /** What must come on average over a window. */
  bytesPerSecondMin: number
  windowMs: number
}

/** Reads bodies as long as their senders keep the pace: 408 for silence, and for a trickle. */
export type Pace = {
  chunksOf(req: IncomingMessage): AsyncGenerator<Uint8Array>
  stop(): void
}

/** A body being received. Only the time in which we wait for its sender counts against them. */
type Turn = {
  waitingSince: number | undefined
  /** Of the window, and so are the bytes. */
  waitedMs: number
  bytes: number
  refuse(error: HttpError): void
}

/** One timer looks after all bodies, so that a chunk costs no more than two looks at the clock. */
export function createPace(limits: PaceLimits): Pace {
  const turns = new Set<Turn>()
  const everyMs = Math.max(10, Math.min(limits.idleMs, limits.windowMs, 4000) / 4)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const turn of turns) refuseIfLate(turn, now, limits)
  }, everyMs)
  timer.unref()
  return { chunksOf: (req) => chunksOf(req, turns), stop: () => clearInterval(timer) }
}

async function* chunksOf(req: IncomingMessage, turns: Set<Turn>): AsyncGenerator<Uint8Array> {
  const chunks = req.iterator({ destroyOnReturn: false })
  const turn: Turn = { waitingSince: undefined, waitedMs: 0, bytes: 0, refuse() {} }
  turns.add(turn)
  try {
    for (;;) {
      const next = await nextOf(chunks, turn)
      if (next.done) return
      turn.bytes += next.value.length
      yield next.value
    }
  } finally {
    turns.delete(turn)
    // Behind a read that still waits, this would wait, too.
    const ended = chunks.return?.()
    if (turn.waitingSince === undefined) await ended
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>, turn: Turn) {
  const since = performance.now()
  turn.waitingSince = since
  const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
    turn.refuse = reject
    chunks.next().then(resolve, reject)
  })
  turn.waitingSince = undefined
  turn.waitedMs += performance.now() - since
  return next
}

function refuseIfLate(turn: Turn, now: number, limits: PaceLimits) {
  if (turn.waitingSince === undefined) return
  const silentMs = now - turn.waitingSince
  if (silentMs > limits.idleMs) {
    turn.refuse(tooSlow(`nothing of the body came for ${limits.idleMs / 1000} seconds`))
    return
  }
  const waitedMs = turn.waitedMs + silentMs
  if (waitedMs < limits.windowMs) return
  if (turn.bytes * 1000 < limits.bytesPerSecondMin * waitedMs) {
    turn.refuse(tooSlow(`the body came at less than ${limits.bytesPerSecondMin} bytes a second`))
    return
  }
  // A new window begins now, in the middle of a wait.
  turn.waitedMs = -silentMs
  turn.bytes = 0
}

const tooSlow = (detail: string) =>
  new HttpError(408, 'request_timeout', detail, { connection: 'close' })
