import type { DataObject } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { readBytes } from '../routes/data/read-bytes.js'

/** The beginning of a data object as text; undefined if it is not UTF-8. */
export async function readText(
  input: Input,
  { id, sizeBytes }: Pick<DataObject, 'id' | 'sizeBytes'>,
  bytes: number,
): Promise<string | undefined> {
  const part = await readPart(input, id, 0, bytes)
  return decoded(part, bytes < sizeBytes)
}

/** A part of a data object. */
export async function readPart(
  input: Input,
  id: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  if (length > 0) {
    for await (const part of readBytes(input, id, { offset, length })) parts.push(part)
  }
  return Buffer.concat(parts)
}

function decoded(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // `stream` allows an incomplete last character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.replaceAll('\0', '\ufffd')
  } catch {
    return undefined
  }
}
