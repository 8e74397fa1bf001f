import { blake3 } from 'hash-wasm'

/**
 * The BLAKE3 that finds the data of an asset revision, in hex: the hash of its only data object, or else
 * the hash of all hashes joined in order. Null without data.
 */
export async function dataHashOf(hashes: string[]): Promise<string | null> {
  const [first, ...rest] = hashes
  if (first === undefined) return null
  return rest.length === 0 ? first : blake3(hashes.join(''))
}
