import type { TransferListItem } from 'node:worker_threads'
import type { Filter, Neighbor, Place } from '../engine/port.js'
import { startThread, type Thread } from '../threads/thread.js'
import type { VectorReply, VectorRequest } from './vector-messages.js'
import type { TableRow, VectorTableOptions } from './vector-table.js'

export type VectorRow = TableRow & {
  /** Of length 1. */
  vector: Float32Array
}

/**
 * Vectors in the memory of a thread, and the search for the nearest ones. Calls take effect in their order. They reject
 * if a vector has another length than `dimensions`, if there are too many, or after the end.
 */
export type VectorIndex = AsyncDisposable & {
  ended: Thread<VectorRequest, VectorReply>['ended']
  /** The number of vectors, as of the last reply. */
  size(): number
  /** Adds or replaces rows. Pass some thousand at a time: searches wait for one call. */
  upsert(rows: VectorRow[]): Promise<void>
  /** Ignores unknown ids, like `place`. */
  remove(ids: string[]): Promise<void>
  place(rows: { id: string; place: Place }[]): Promise<void>
  /**
   * The `k` nearest of the rows that the filter allows, nearest first, the newest first among equals, then by id. The
   * score is the cosine mapped to 0 to 1.
   */
  nearest(
    vector: Float32Array,
    filter: Pick<Filter, 'roots' | 'recent'>,
    k: number,
  ): Promise<Neighbor[]>
}

export function createVectorIndex(options: VectorTableOptions): VectorIndex {
  const program = new URL('./vector-worker.js', import.meta.url)
  const thread = startThread<VectorRequest, VectorReply>(program, 'vectors', options)
  let size = 0

  async function ask(request: VectorRequest, transfer: TransferListItem[] = []) {
    const reply = await thread.ask(request, transfer)
    size = reply.size
    return reply.neighbors
  }

  function requireLength(vector: Float32Array) {
    if (vector.length === options.dimensions) return
    throw new Error(`a vector has ${vector.length} instead of ${options.dimensions} numbers`)
  }

  return {
    ended: thread.ended,
    size: () => size,
    async upsert(rows) {
      const vectors = new Float32Array(rows.length * options.dimensions)
      for (const [n, { vector }] of rows.entries()) {
        requireLength(vector)
        vectors.set(vector, n * options.dimensions)
      }
      const places = rows.map(({ id, place, createdMs }) => ({ id, place, createdMs }))
      await ask({ kind: 'upsert', rows: places, vectors }, [vectors.buffer])
    },
    async remove(ids) {
      await ask({ kind: 'remove', ids })
    },
    async place(rows) {
      await ask({ kind: 'place', rows })
    },
    async nearest(vector, filter, k) {
      requireLength(vector)
      return ask({ kind: 'nearest', vector, filter, k })
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
