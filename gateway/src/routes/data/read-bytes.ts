import type { Input } from '../../endpoint.js'

/** The bytes of one data object; nothing is asked for before the first pull. */
export async function* readBytes(
  { services, streamCall }: Input,
  id: string,
): AsyncGenerator<Uint8Array> {
  for await (const { part } of services.revisions.readData({ id }, streamCall)) {
    if (part.case === 'chunk') yield part.value
  }
}
