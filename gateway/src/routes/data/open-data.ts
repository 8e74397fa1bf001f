import type { DataObject } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { required } from '../../required.js'

/** A data object and the stream of its bytes; the first chunk has already been read. */
export type OpenData = { object: DataObject; chunks: AsyncIterable<Uint8Array> }

export async function openData({ params, services, streamCall }: Input): Promise<OpenData> {
  const stream = services.revisions.readData({ id: params.id ?? '' }, streamCall)
  const parts = stream[Symbol.asyncIterator]()
  const { value: head } = await parts.next()
  if (head?.part.case !== 'object') throw new Error('data stream without its first message')
  const chunks = await prefetchFirst(chunksOf({ [Symbol.asyncIterator]: () => parts }))
  return { object: head.part.value, chunks }
}

/** Reads a data object without its bytes. */
export async function getDataObject({ params, services, streamCall }: Input): Promise<DataObject> {
  let object: DataObject | undefined
  const request = { id: params.id ?? '', length: 0n }
  for await (const { part } of services.revisions.readData(request, streamCall)) {
    if (part.case === 'object') object = part.value
  }
  return required(object)
}

async function* chunksOf(
  parts: AsyncIterable<{ part: { case: unknown; value?: unknown } }>,
): AsyncGenerator<Uint8Array> {
  for await (const { part } of parts) {
    if (part.case === 'chunk') yield part.value as Uint8Array
  }
}
