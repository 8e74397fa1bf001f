import type { Filter, Place } from '../engine/port.js'
import type { PictureDescriptor } from '../pictures/describe.js'
import { startThread } from '../threads/thread.js'
import type { PictureRequest, PlacedPicture } from './picture-messages.js'

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

export function createPictureSearch(): PictureSearch {
  const program = new URL('./picture-thread.js', import.meta.url)
  const thread = startThread<PictureRequest, Scored[]>(program, 'pictures')
  return {
    set: async (rows) => void (await thread.ask({ kind: 'set', rows })),
    place: async (rows) => void (await thread.ask({ kind: 'place', rows })),
    remove: async (ids) => void (await thread.ask({ kind: 'remove', ids })),
    candidates: (global, filter, count) =>
      thread.ask({ kind: 'candidates', global, filter, count }),
    compare: (picture, others) => thread.ask({ kind: 'compare', picture, others }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
