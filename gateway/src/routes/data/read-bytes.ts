import type { Input } from '../../endpoint.js'
import type { ByteRange } from '../../http/conditions.js'

/** Streams the bytes of a data object, or a range of them. Lazy: the RPC begins with the first read. */
export async function* readBytes(
  { services, streamCall }: Pick<Input, 'services' | 'streamCall'>,
  id: string,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  const part = range && { offset: BigInt(range.offset), length: BigInt(range.length) }
  for await (const { part: answer } of services.revisions.readData({ id, ...part }, streamCall)) {
    if (answer.case === 'chunk') yield answer.value
  }
}
