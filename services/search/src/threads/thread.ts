import { type TransferListItem, Worker } from 'node:worker_threads'

/** A thread that answers one request after the other, in their order. */
export type Thread<Request, Reply> = AsyncDisposable & {
  /** Rejects with the problem that the thread reports, and with ThreadEnded after its end. */
  ask(request: Request, transfer?: TransferListItem[]): Promise<Reply>
  /** Resolves when the thread has ended. */
  ended: Promise<ThreadEnded>
}

/** What the thread receives, and what it sends. */
export type ThreadRequest<Request> = { number: number; request: Request }
export type ThreadReply<Reply> = { number: number } & ({ reply: Reply } | { problem: string })

export class ThreadEnded extends Error {
  override name = 'ThreadEnded'
}

type Waiter<Reply> = { resolve(reply: Reply): void; reject(error: Error): void }

/** Starts a thread. It does not keep the process alive while nobody waits for it. `name`: for errors. */
export function startThread<Request, Reply>(
  program: URL,
  name: string,
  workerData?: unknown,
): Thread<Request, Reply> {
  const worker = new Worker(program, { workerData })
  worker.unref()
  const waiters = new Map<number, Waiter<Reply>>()
  let ended: ThreadEnded | undefined
  let last = 0

  worker.on('message', (message: ThreadReply<Reply>) => {
    const waiter = waiters.get(message.number)
    waiters.delete(message.number)
    if ('problem' in message) waiter?.reject(new Error(message.problem))
    else waiter?.resolve(message.reply)
    if (waiters.size === 0) worker.unref()
  })
  const end = (error: ThreadEnded) => {
    ended ??= error
    for (const { reject } of waiters.values()) reject(ended)
    waiters.clear()
    return ended
  }
  worker.on('error', (cause) => end(new ThreadEnded(`the thread of the ${name} failed`, { cause })))
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve))

  return {
    ended: exited.then((status) =>
      end(new ThreadEnded(`the thread of the ${name} ended with status ${status}`)),
    ),
    async ask(request, transfer = []) {
      if (ended) throw ended
      const number = ++last
      const replied = new Promise<Reply>((resolve, reject) => {
        waiters.set(number, { resolve, reject })
      })
      worker.ref()
      worker.postMessage({ number, request }, transfer)
      return replied
    },
    async [Symbol.asyncDispose]() {
      if (ended) return
      worker.ref()
      await worker.terminate()
      await exited
    },
  }
}
