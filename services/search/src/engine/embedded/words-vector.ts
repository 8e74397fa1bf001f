import { tokenize } from '../../text/tokenize.js'
import { type FieldName, fieldNames, type IndexedDocument } from '../port.js'

/** The weights of PostgreSQL's text search, from the most important to the least. */
type Weight = 'A' | 'B' | 'C' | 'D'

export const weightOf: Record<FieldName, Weight> = {
  name: 'A',
  description: 'B',
  ids: 'B',
  files: 'C',
  metadata: 'C',
  columns: 'C',
  code: 'D',
  text: 'D',
  comments: 'D',
  ocr: 'D',
}

/** PostgreSQL stores positions up to 16383. */
const wordsMax = 12_000
/** PostgreSQL stores at most 256 positions of a lexeme. */
const positionsMax = 250
/** Bounds a vector, which may have 1 MB. */
const lexemesBytesMax = 700_000
/** Phrases must not continue in the next field. */
const gap = 10

/** The stem of a word, apart from the words as they are written. */
export const stemLexeme = (stem: string): string => `~${stem}`

/** The words of a document as the text of a `tsvector`. Words beyond the limits are left out, the last fields first. */
export function wordsVector({ fields }: Pick<IndexedDocument, 'fields'>): string {
  const lexemes = new Map<string, string[]>()
  let bytes = 0
  let position = 1
  let left = wordsMax
  const add = (lexeme: string, at: number, weight: Weight) => {
    const known = lexemes.get(lexeme)
    if (known && known.length >= positionsMax) return
    bytes += known ? 2 : Buffer.byteLength(lexeme) + 8
    if (bytes > lexemesBytesMax) return
    const place = `${at}${weight}`
    if (known) known.push(place)
    else lexemes.set(lexeme, [place])
  }
  for (const name of fieldNames) {
    const weight = weightOf[name]
    for (const { whole, parts } of tokenize(fields[name] ?? '', left)) {
      left -= parts.length
      if (left <= 0) break
      for (const form of whole) add(form, position, weight)
      // Ids are found only as a whole.
      if (name === 'ids') continue
      for (const { forms, stem } of parts) {
        for (const form of forms)
          if (parts.length > 1 || !whole.includes(form)) add(form, position, weight)
        if (stem !== undefined) add(stemLexeme(stem), position, weight)
        position++
      }
    }
    position += gap
  }
  return [...lexemes].map(([lexeme, places]) => `${quoted(lexeme)}:${places.join()}`).join(' ')
}

/** A lexeme in the text of a `tsvector` or `tsquery`. */
export const quoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`
