import { type FieldName, fieldNames, type IndexedDocument } from '../../engine/port.js'
import { fold } from '../../text/fold.js'
import { formOf } from '../../text/split-word.js'
import { joined, type Token, tokenize } from '../../text/tokenize.js'
import { isCorrectable } from '../../text/typing-errors.js'
import { idLexeme, lexeme, metadataLexeme, stemLexeme } from './lexemes.js'

export type VectorLimits = {
  /** Of a field. */
  wordsMax: number
  /** Of a document. PostgreSQL allows 1 MiB. */
  vectorBytesMax: number
}

export const vectorLimits: VectorLimits = { wordsMax: 20_000, vectorBytesMax: 600_000 }

export type Vector = {
  /** The text of a tsvector. */
  text: string
  /** The words that a mistyped word may stand for. */
  words: Set<string>
  /** Words of the name and the description. */
  titleWords: number
}

/** PostgreSQL's weights: A is the most important. */
const weights: Record<FieldName, string> = {
  name: 'A',
  description: 'B',
  ids: 'A',
  files: 'C',
  metadata: 'C',
  columns: 'C',
  code: '',
  text: '',
  comments: '',
  ocr: '',
  meaning: '',
}

/** PostgreSQL keeps no more positions of a lexeme, and no higher ones. */
const positionsMax = 255
const positionMax = 16_383
/** No phrase goes from one field to the next. */
const fieldGap = 10
/** Of a position, and of a lexeme with its length. */
const positionBytes = 2
const lexemeBytes = 8

/** The words of a document with their positions, and its metadata. What exceeds the limits is not found. */
export function vectorOf(
  { fields, metadata = [] }: Pick<IndexedDocument, 'fields' | 'metadata'>,
  limits = vectorLimits,
): Vector {
  const lexemes = new Lexemes()
  for (const token of metadata) lexemes.add(metadataLexeme(token), positionMax, '')
  let position = 1
  let titleWords = 0
  for (const field of fieldNames) {
    const text = fields[field]
    const weight = weights[field]
    if (!text) continue
    if (field === 'ids') {
      for (const id of idsOf(text, limits.wordsMax)) lexemes.add(idLexeme(id), position, weight)
    } else {
      for (const token of tokenize(text, limits.wordsMax)) {
        if (lexemes.bytes > limits.vectorBytesMax) break
        addToken(lexemes, token, position, weight)
        position += token.parts.length
        if (field === 'name' || field === 'description') titleWords += token.parts.length
      }
    }
    position += fieldGap
  }
  return { text: lexemes.toString(), words: lexemes.words, titleWords }
}

/** A stem that is the word itself adds nothing. */
function addToken(lexemes: Lexemes, { whole, parts }: Token, position: number, weight: string) {
  for (const form of whole) lexemes.addWord(form, position, weight)
  for (const [at, { forms, stem }] of parts.entries()) {
    for (const form of forms) {
      if (at > 0 || !whole.includes(form)) lexemes.addWord(form, position + at, weight)
    }
    if (stem && stem !== forms[0]) lexemes.add(stemLexeme(stem), position + at, weight)
  }
}

/** The lexemes of a vector with their places, such as `12A`. */
class Lexemes {
  readonly words = new Set<string>()
  /** An upper bound. */
  bytes = 0
  readonly #places = new Map<string, string[]>()

  addWord(word: string, position: number, weight: string): void {
    if (this.add(word, position, weight) && isCorrectable(word)) this.words.add(word)
  }

  /** Whether it is new. */
  add(name: string, position: number, weight: string): boolean {
    const place = Math.min(position, positionMax) + weight
    const known = this.#places.get(name)
    if (!known) {
      this.#places.set(name, [place])
      this.bytes += lexemeBytes + 3 * name.length
      return true
    }
    if (known.length < positionsMax && known.at(-1) !== place) {
      known.push(place)
      this.bytes += positionBytes
    }
    return false
  }

  toString(): string {
    return [...this.#places].map(([name, places]) => `${lexeme(name)}:${places.join()}`).join(' ')
  }
}

const idsOf = (text: string, max: number) =>
  text
    .split(/\s+/, max)
    .map((id) => joined(formOf(fold(id))))
    .filter(Boolean)
