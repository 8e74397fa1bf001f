import { type Child, type ChildProgram, startChild } from './child.js'

/** Processes that answer requests; they are started when they are needed, and end when idle. */
export type Desks<Request, Reply> = AsyncDisposable & {
  /**
   * Waits for its turn, then for the answer. `signal` ends both at once. Throws ChildTimedOut or ChildEnded.
   */
  ask(request: Request, signal: AbortSignal): Promise<Reply>
}

export type DesksOptions = ChildProgram & { atATime: number; timeoutMs: number }

const idleMs = 30_000

export function createDesks<Request extends object, Reply>({
  atATime,
  timeoutMs,
  ...program
}: DesksOptions): Desks<Request, Reply> {
  const desks = Array.from({ length: Math.max(1, atATime) }, () =>
    createDesk<Request, Reply>(program, timeoutMs),
  )
  return {
    ask(request, signal) {
      const next = desks.reduce((a, b) => (b.queued() < a.queued() ? b : a))
      return next.ask(request, signal)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(desks.map((desk) => desk.end()))
    },
  }
}

/** One process at most, one request after the other. Each ends in time, so each has its turn. */
function createDesk<Request extends object, Reply>(program: ChildProgram, timeoutMs: number) {
  let child: Child<Request, Reply> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0

  async function askNow(request: Request, signal: AbortSignal) {
    signal.throwIfAborted()
    clearTimeout(idle)
    if (!child?.isAlive()) child = await startChild<Request, Reply>(program, signal)
    try {
      return await child.ask(request, timeoutMs, signal)
    } finally {
      idle = setTimeout(() => child?.end(), idleMs).unref()
    }
  }

  return {
    queued: () => queued,
    async ask(request: Request, signal: AbortSignal) {
      queued++
      const answered = last.then(() => askNow(request, signal))
      last = answered.catch(() => {})
      return answered.finally(() => queued--)
    },
    async end() {
      clearTimeout(idle)
      await child?.end()
    },
  }
}
