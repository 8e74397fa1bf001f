import type { Repository } from '../git/repository.js'

/** The beginning of a file, without its byte order mark. */
export async function readText(
  repository: Pick<Repository, 'read'>,
  blobId: string,
  bytesMax: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (await repository.read(blobId)) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= bytesMax) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesMax))
}
