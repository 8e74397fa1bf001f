import { fileURLToPath } from 'node:url'
import { exhausted, invalid } from '@figbase/kit/errors'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import type { KeyText, ReadKey } from './read-key.js'
import type { ReadKeyOptions, ReadKeyReply } from './read-key-program.js'

/** Reads users' private keys in a separate process. */
export type KeyReader = AsyncDisposable & {
  /**
   * Reads one key per owner at a time, so that many keys of one owner do not delay others. Throws `invalid_request`
   * for `private_key` or `passphrase`, also after the timeout; `signal` aborts it.
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
  const pool = createProcessPool<KeyText, ReadKeyReply>({
    path,
    options,
    concurrency: 1,
    timeoutMs: readTimeoutMs,
  })
  const queues = new Map<string, Queue>()

  async function readNow(text: KeyText, signal: AbortSignal): Promise<ReadKey> {
    const reply = await pool.ask(text, signal).catch((error: unknown) => {
      throw publicError(error, readTimeoutMs)
    })
    if ('reason' in reply) throw invalid(reply.field, reply.reason)
    return reply
  }

  return {
    async read(owner, text, signal) {
      const queue = queues.get(owner) ?? { last: Promise.resolve(), length: 0 }
      if (queue.length > waitingPerOwnerMax) throw tooManyQueuedKeys()
      queues.set(owner, queue)
      queue.length++
      const read = queue.last.then(() => readNow(text, signal))
      queue.last = read.catch(() => {})
      return read.finally(() => --queue.length || queues.delete(owner))
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const tooManyQueuedKeys = () =>
  exhausted('too_busy', 'too many of your SSH keys are being read: try again in a moment')

function publicError(error: unknown, timeoutMs: number) {
  if (error instanceof ChildTimedOut) {
    return invalid(
      'private_key',
      `decryption timed out after ${timeoutMs} ms: send the key decrypted`,
    )
  }
  return error instanceof ChildExited ? invalid('private_key', 'cannot be read') : error
}
