import type { IndexedDocument } from '../port.js'

/** Of each field; snippets of the rest are not shown. */
const fieldCharsMax = 50_000

/** The beginnings of the fields, as bytes: a text of PostgreSQL could not have every character. */
export function packTexts(fields: IndexedDocument['fields']): Buffer {
  const shown = Object.entries(fields).filter(([name, text]) => text && name !== 'ids')
  const cut = shown.map(([name, text]) => [name, text?.slice(0, fieldCharsMax)])
  return Buffer.from(JSON.stringify(Object.fromEntries(cut)))
}

export const unpackTexts = (packed: Buffer): IndexedDocument['fields'] =>
  JSON.parse(packed.toString()) as IndexedDocument['fields']
