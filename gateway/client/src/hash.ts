import { createBLAKE3 } from 'hash-wasm'
import { type Source, toParts } from './source.js'

/** BLAKE3 of all bytes, in 64 hexadecimal digits, as `hash` of data objects. */
export async function hashOf(source: Source): Promise<string> {
  const hasher = await createBLAKE3()
  for await (const part of toParts(source)) hasher.update(part)
  return hasher.digest('hex')
}

/** Calculates BLAKE3 of what passes. */
export const createHasher = createBLAKE3
