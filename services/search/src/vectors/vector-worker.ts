import { workerData } from 'node:worker_threads'
import { answerRequests } from '../threads/answer-requests.js'
import type { VectorReply, VectorRequest } from './vector-messages.js'
import { VectorTable, type VectorTableOptions } from './vector-table.js'

/** The program of the thread that holds the vectors. It answers one request after the other, in their order. */
const table = new VectorTable(workerData as VectorTableOptions)
const { dimensions } = table.options

answerRequests((request: VectorRequest): VectorReply => {
  const neighbors = handle(request)
  return { neighbors, size: table.size }
})

function handle(request: VectorRequest) {
  switch (request.kind) {
    case 'upsert':
      for (const [n, row] of request.rows.entries()) {
        table.upsert(row, request.vectors.subarray(n * dimensions, (n + 1) * dimensions))
      }
      return []
    case 'remove':
      for (const id of request.ids) table.remove(id)
      return []
    case 'place':
      for (const { id, place } of request.rows) table.place(id, place)
      return []
    case 'nearest':
      return table.nearest(request.vector, request.filter, request.k)
  }
}
