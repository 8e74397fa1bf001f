import { endpoint, ok } from '../../endpoint.js'
import { dataSchema, dataShape } from '../../shapes/data.js'

export const getData = endpoint({
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'A data object with its bytes',
  responses: { 200: dataSchema },
  async handle({ params, services, streamCall }) {
    const stream = services.revisions.readData({ id: params.id ?? '' }, streamCall)
    const parts = stream[Symbol.asyncIterator]()
    const { value: head } = await parts.next()
    if (head?.part.case !== 'object') throw new Error('a data object came without its head')
    return ok(dataShape(head.part.value, chunksOf({ [Symbol.asyncIterator]: () => parts })))
  },
})

async function* chunksOf(
  parts: AsyncIterable<{ part: { case: unknown; value?: unknown } }>,
): AsyncGenerator<Uint8Array> {
  for await (const { part } of parts) {
    if (part.case === 'chunk') yield part.value as Uint8Array
  }
}
