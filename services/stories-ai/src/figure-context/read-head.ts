import type { CallOptions, Client } from '@connectrpc/connect'
import type { RevisionsService } from '@figbase/proto/revisions'

/** The first bytes of a data object as text; undefined if they are no text in UTF-8. */
export async function readHead(
  revisions: Client<typeof RevisionsService>,
  id: string,
  bytesMax: number,
  as: CallOptions,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  const request = { id, length: BigInt(bytesMax) }
  for await (const { part } of revisions.readData(request, as)) {
    if (part.case === 'chunk') chunks.push(part.value)
  }
  try {
    // A character may be cut at the end.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks), {
      stream: true,
    })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
