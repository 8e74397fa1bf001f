import { type Child, type ChildProgram, startChild } from './child.js'

/** A pool of child processes, started on demand and stopped when idle. */
export type ProcessPool<Request, Reply> = AsyncDisposable & {
  /**
   * Waits in the queue, then for the response; `signal` aborts both. `timeoutMsMax` may shorten the wait for the
   * response. Throws ChildTimedOut or ChildExited.
   */
  ask(request: Request, signal: AbortSignal, timeoutMsMax?: number): Promise<Reply>
}

export type ProcessPoolOptions = ChildProgram & { concurrency: number; timeoutMs: number }

const idleMs = 30_000

export function createProcessPool<Request extends object, Reply>({
  concurrency,
  timeoutMs,
  ...program
}: ProcessPoolOptions): ProcessPool<Request, Reply> {
  const workers = Array.from({ length: Math.max(1, concurrency) }, () =>
    createWorker<Request, Reply>(program),
  )
  return {
    ask(request, signal, timeoutMsMax = timeoutMs) {
      const next = workers.reduce((a, b) => (b.queued() < a.queued() ? b : a))
      return next.ask(request, signal, Math.min(timeoutMs, timeoutMsMax))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.end()))
    },
  }
}

/** A worker with at most one process and a queue. Requests have timeouts, so each gets its turn. */
function createWorker<Request extends object, Reply>(program: ChildProgram) {
  let child: Child<Request, Reply> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let queued = 0

  async function askNow(request: Request, signal: AbortSignal, timeoutMs: number) {
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
    async ask(request: Request, signal: AbortSignal, timeoutMs: number) {
      queued++
      const answered = last.then(() => askNow(request, signal, timeoutMs))
      last = answered.catch(() => {})
      return answered.finally(() => queued--)
    },
    async end() {
      clearTimeout(idle)
      await child?.end()
    },
  }
}
