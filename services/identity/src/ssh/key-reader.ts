import { fileURLToPath } from 'node:url'
import { ChildEnded, ChildTimedOut, createDesks, exhausted, invalid } from '@figbase/kit'
import type { KeyText, ReadKey } from './read-key.js'
import type { ReadKeyOptions, ReadKeyReply } from './read-key-program.js'

/** Private keys as users send them, read in a process of its own. */
export type KeyReader = AsyncDisposable & {
  /**
   * One key of an owner at a time, so that nobody waits for many of another's. Throws `invalid_request` for
   * `private_key` or `passphrase`, also for a key that takes too long; `signal` ends it at once.
   */
  read(owner: string, text: KeyText, signal: AbortSignal): Promise<ReadKey>
}

export type KeyReaderOptions = { bcryptRoundsMax: number; readTimeoutMs: number }

const path = fileURLToPath(new URL('./read-key-program.js', import.meta.url))
const memoryBytesMax = 512 * 1024 * 1024
const waitingPerOwnerMax = 50

type Queue = { last: Promise<unknown>; length: number }

export function createKeyReader({ bcryptRoundsMax, readTimeoutMs }: KeyReaderOptions): KeyReader {
  const options: ReadKeyOptions = { memoryBytesMax, bcryptRoundsMax }
  const desks = createDesks<KeyText, ReadKeyReply>({
    path,
    options,
    atATime: 1,
    timeoutMs: readTimeoutMs,
  })
  const queues = new Map<string, Queue>()

  async function readNow(text: KeyText, signal: AbortSignal): Promise<ReadKey> {
    const reply = await desks.ask(text, signal).catch((error: unknown) => {
      throw publicError(error, readTimeoutMs)
    })
    if ('reason' in reply) throw invalid(reply.field, reply.reason)
    return reply
  }

  return {
    async read(owner, text, signal) {
      const queue = queues.get(owner) ?? { last: Promise.resolve(), length: 0 }
      if (queue.length > waitingPerOwnerMax) throw tooManyAtATime()
      queues.set(owner, queue)
      queue.length++
      const read = queue.last.then(() => readNow(text, signal))
      queue.last = read.catch(() => {})
      return read.finally(() => --queue.length || queues.delete(owner))
    },
    [Symbol.asyncDispose]: () => desks[Symbol.asyncDispose](),
  }
}

const tooManyAtATime = () =>
  exhausted('too_busy', 'other SSH keys of yours are being read: try again in a moment')

function publicError(error: unknown, timeoutMs: number) {
  if (error instanceof ChildTimedOut) {
    return invalid('private_key', `takes longer than ${timeoutMs} ms to decrypt: send it decrypted`)
  }
  return error instanceof ChildEnded ? invalid('private_key', 'cannot be read') : error
}
