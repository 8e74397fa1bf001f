import { type DrawingLimits, type DrawingProcess, startDrawingProcess } from './drawing-process.js'
import type { Picture } from './picture.js'

/** SVG images, drawn in processes that are started when they are needed and end when idle. */
export type Drawings = AsyncDisposable & {
  /** A PNG as `pictureOf` makes it. `signal` ends it at once, also while it waits for its turn. */
  draw(bytes: Buffer, signal: AbortSignal): Promise<Required<Picture>>
}

export type DrawingsOptions = DrawingLimits & { drawingsAtATime: number }

const idleMs = 30_000

export function createDrawings({ drawingsAtATime, ...limits }: DrawingsOptions): Drawings {
  const desks = Array.from({ length: Math.max(1, drawingsAtATime) }, () => createDesk(limits))
  return {
    draw(bytes, signal) {
      const next = desks.reduce((a, b) => (b.queued() < a.queued() ? b : a))
      return next.draw(bytes, signal)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(desks.map((desk) => desk.end()))
    },
  }
}

/** One process at most, one drawing after the other. Each ends in time, so each has its turn. */
function createDesk(limits: DrawingLimits) {
  let drawer: DrawingProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0

  async function drawNow(bytes: Buffer, signal: AbortSignal) {
    signal.throwIfAborted()
    clearTimeout(idle)
    if (!drawer?.isAlive()) drawer = await startDrawingProcess(limits, signal)
    try {
      return await drawer.draw(bytes, signal)
    } finally {
      idle = setTimeout(() => drawer?.end(), idleMs).unref()
    }
  }

  return {
    queued: () => queued,
    async draw(bytes: Buffer, signal: AbortSignal) {
      queued++
      const drawn = last.then(() => drawNow(bytes, signal))
      last = drawn.catch(() => {})
      return drawn.finally(() => queued--)
    },
    async end() {
      clearTimeout(idle)
      await drawer?.end()
    },
  }
}
