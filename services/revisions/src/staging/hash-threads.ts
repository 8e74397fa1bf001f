import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hash-thread.js'

/** Threads that compute BLAKE3, so that long objects do not block the event loop. They start when needed. */
export type HashThreads = AsyncDisposable & {
  /** A hash of pieces at the beginning of this memory. */
  begin(memory: SharedArrayBuffer): ThreadHash
}

export type ThreadHash = {
  /** Hashes the first `length` bytes of the memory. They must not change until this resolves. */
  update(length: number): Promise<void>
  /** In hex. */
  digest(): Promise<string>
  end(): void
}

const program = new URL('./hash-thread.js', import.meta.url)

export function createHashThreads(count: number): HashThreads {
  const threads = Array.from({ length: Math.max(1, count) }, createThread)
  let last = 0
  return {
    begin(memory) {
      const hash = ++last
      const thread = threads.reduce((a, b) => (b.hashes.size < a.hashes.size ? b : a))
      thread.hashes.add(hash)
      // The next request fails, too, because a thread that fails has ended.
      thread.ask({ hash, memory }).catch(() => {})
      return {
        async update(length) {
          await thread.ask({ hash, length })
        },
        async digest() {
          const { digest } = await thread.ask({ hash, wants: 'digest' })
          if (digest === undefined) throw new Error('the hash thread returned no digest')
          return digest
        },
        end() {
          thread.hashes.delete(hash)
          thread.ask({ hash, wants: 'end' }).catch(() => {})
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

type Waiting = { resolve(answer: HashAnswer): void; reject(error: unknown): void }

/**
 * Answers come in the order of the requests. If the thread fails, all pending requests fail, and the next
 * request starts another thread.
 */
function createThread() {
  let worker: Worker | undefined
  let waiting: Waiting[] = []

  function start() {
    const started = new Worker(program)
    started.unref()
    const fail = (error: unknown) => {
      if (worker !== started) return
      worker = undefined
      const all = waiting
      waiting = []
      for (const { reject } of all) reject(error)
    }
    started.on('message', (answer: HashAnswer) => waiting.shift()?.resolve(answer))
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the hash thread has exited')))
    return started
  }

  return {
    /** Hashes in progress. */
    hashes: new Set<number>(),
    ask(request: HashRequest): Promise<HashAnswer> {
      worker ??= start()
      worker.postMessage(request)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    async end() {
      await worker?.terminate()
    },
  }
}
