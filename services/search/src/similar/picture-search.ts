import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Filter, Place } from '../engine/port.js'
import type { PictureDescriptor } from '../pictures/describe.js'
import type { PictureRequest, PictureThreadReply, PlacedPicture } from './picture-messages.js'

type Scored = { id: string; score: number }

/** The pictures of all figure revisions, in the memory of a thread. Calls take effect in their order. */
export type PictureSearch = AsyncDisposable & {
  set(rows: PlacedPicture[]): Promise<void>
  place(rows: { id: string; place: Place }[]): Promise<void>
  remove(ids: string[]): Promise<void>
  /** The pictures that may be like this one, among those that the filter allows, best first. */
  candidates(global: Buffer, filter: Filter, count: number): Promise<Scored[]>
  /** How alike pictures are: 1 is the same. */
  compare(
    picture: PictureDescriptor,
    others: ({ id: string } & PictureDescriptor)[],
  ): Promise<Scored[]>
}

type Waiter = { resolve(reply: PictureThreadReply): void; reject(error: Error): void }

export function createPictureSearch(): PictureSearch {
  const worker = new Worker(new URL('./picture-thread.js', import.meta.url))
  worker.unref()
  const waiters = new Map<number, Waiter>()
  let ended: Error | undefined
  let last = 0

  worker.on('message', ({ number, reply }: { number: number; reply: PictureThreadReply }) => {
    waiters.get(number)?.resolve(reply)
    waiters.delete(number)
    if (waiters.size === 0) worker.unref()
  })
  const end = (error: Error) => {
    ended ??= error
    for (const { reject } of waiters.values()) reject(ended)
    waiters.clear()
  }
  worker.on('error', (cause) => end(new Error('the thread of the pictures failed', { cause })))
  worker.on('exit', () => end(new Error('the thread of the pictures has ended')))

  async function ask(request: PictureRequest) {
    if (ended) throw ended
    const number = ++last
    const replied = new Promise<PictureThreadReply>((resolve, reject) => {
      waiters.set(number, { resolve, reject })
    })
    worker.ref()
    worker.postMessage({ number, request })
    const reply = await replied
    if ('problem' in reply) throw new Error(reply.problem)
    return reply.found
  }

  return {
    set: async (rows) => void (await ask({ kind: 'set', rows })),
    place: async (rows) => void (await ask({ kind: 'place', rows })),
    remove: async (ids) => void (await ask({ kind: 'remove', ids })),
    candidates: (global, filter, count) => ask({ kind: 'candidates', global, filter, count }),
    compare: (picture, others) => ask({ kind: 'compare', picture, others }),
    async [Symbol.asyncDispose]() {
      if (ended) return
      const exited = once(worker, 'exit')
      worker.ref()
      await worker.terminate()
      await exited
    },
  }
}
