import { blake3 } from 'hash-wasm'

/**
 * The BLAKE3 by which the data of an asset revision is found, in hex: that of its one data object; of
 * several, of their hashes joined in order. Null without data.
 */
export async function dataHashOf(hashes: string[]): Promise<string | null> {
  const [first, ...rest] = hashes
  if (first === undefined) return null
  return rest.length === 0 ? first : blake3(hashes.join(''))
}
