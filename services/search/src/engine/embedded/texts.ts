import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { IndexedDocument } from '../port.js'

/** Of each field; snippets of the rest are not shown. */
const fieldCharsMax = 16_000

/** The beginnings of the fields, compressed. */
export function packTexts(fields: IndexedDocument['fields']): Buffer {
  const shown = Object.entries(fields).filter(([name, text]) => text && name !== 'ids')
  const cut = shown.map(([name, text]) => [name, text?.slice(0, fieldCharsMax)])
  return deflateRawSync(JSON.stringify(Object.fromEntries(cut)), { level: 3 })
}

export const unpackTexts = (packed: Buffer): IndexedDocument['fields'] =>
  JSON.parse(inflateRawSync(packed).toString()) as IndexedDocument['fields']
