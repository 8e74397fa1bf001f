import type { Filter, Place } from '../engine/port.js'
import type { LocalDescriptor } from '../pictures/describe.js'
import { startThread, type Thread } from '../threads/thread.js'
import type { PictureReply, PictureRequest, PlacedPicture } from './picture-messages.js'

type Scored = { id: string; score: number }

/** The pictures of all figure revisions, in the memory of a thread. Calls take effect in their order. */
export type PictureSearch = AsyncDisposable & {
  ended: Thread<PictureRequest, PictureReply>['ended']
  /** The number of pictures, as of the last reply. */
  size(): number
  set(rows: PlacedPicture[]): Promise<void>
  place(rows: { id: string; place: Place }[]): Promise<void>
  remove(ids: string[]): Promise<void>
  /** The pictures that may be like this one, among those that the filter allows, best first. */
  candidates(global: Buffer, filter: Filter, count: number): Promise<Scored[]>
  /** How alike pictures are: 1 is the same. */
  compare(picture: LocalDescriptor, others: ({ id: string } & LocalDescriptor)[]): Promise<Scored[]>
}

export function createPictureSearch(): PictureSearch {
  const program = new URL('./picture-thread.js', import.meta.url)
  const thread = startThread<PictureRequest, PictureReply>(program, 'pictures')
  let size = 0

  async function ask(request: PictureRequest) {
    const reply = await thread.ask(request)
    size = reply.size
    return reply.found
  }

  return {
    ended: thread.ended,
    size: () => size,
    set: async (rows) => void (await ask({ kind: 'set', rows })),
    place: async (rows) => void (await ask({ kind: 'place', rows })),
    remove: async (ids) => void (await ask({ kind: 'remove', ids })),
    candidates: (global, filter, count) => ask({ kind: 'candidates', global, filter, count }),
    compare: ({ version, local }, others) =>
      ask({ kind: 'compare', picture: { version, local }, others }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
