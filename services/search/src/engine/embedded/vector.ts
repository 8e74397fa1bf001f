import { type FieldName, fieldNames, type IndexedDocument } from '../../engine/port.js'
import { joined, type Token, tokenize } from '../../text/tokenize.js'
import { isCorrectable } from '../../text/typing-errors.js'
import { idLexeme, lexeme, stemLexeme } from './lexemes.js'

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
}

/** PostgreSQL keeps no more positions of a lexeme, and no higher ones. */
const positionsMax = 255
const positionMax = 16_383
/** No phrase goes from one field to the next. */
const fieldGap = 10
/** Of a position, and of a lexeme with its length. */
const positionBytes = 2
const lexemeBytes = 8

/** The words of a document with their positions. What exceeds the limits is not found. */
export function vectorOf(fields: IndexedDocument['fields'], limits = vectorLimits): Vector {
  const positions = new Map<string, string[]>()
  const words = new Set<string>()
  let bytes = 0
  let position = 1
  const add = (name: string, at: number, weight: string) => {
    const known = positions.get(name)
    if (known && known.length >= positionsMax) return
    bytes += positionBytes + (known ? 0 : lexemeBytes + Buffer.byteLength(name))
    const place = `${Math.min(at, positionMax)}${weight}`
    if (!known) positions.set(name, [place])
    else if (known.at(-1) !== place) known.push(place)
  }
  for (const field of fieldNames) {
    const text = fields[field]
    const weight = weights[field]
    if (!text) continue
    if (field === 'ids') {
      for (const id of idsOf(text, limits.wordsMax)) add(idLexeme(id), position, weight)
      continue
    }
    for (const token of tokenize(text, limits.wordsMax)) {
      if (bytes > limits.vectorBytesMax) break
      for (const [name, at] of lexemesOf(token)) add(name, position + at, weight)
      for (const word of wordsOf(token)) if (isCorrectable(word)) words.add(word)
      position += token.parts.length
    }
    position += fieldGap
  }
  const lines = [...positions].map(([name, places]) => `${lexeme(name)}:${places.join(',')}`)
  return { text: lines.join(' '), words }
}

const idsOf = (text: string, max: number) =>
  text
    .split(/\s+/, max)
    .map((id) => joined(id.toLowerCase()).slice(0, 128))
    .filter(Boolean)

/** With their positions in the token. A stem that is the word itself adds nothing. */
function* lexemesOf({ whole, parts }: Token): Generator<[string, number]> {
  const added = new Set(whole)
  for (const form of added) yield [form, 0]
  for (const [at, { forms, stem }] of parts.entries()) {
    for (const form of forms) if (at > 0 || !added.has(form)) yield [form, at]
    if (stem && stem !== forms[0]) yield [stemLexeme(stem), at]
  }
}

const wordsOf = ({ whole, parts }: Token) => [...whole, ...parts.flatMap(({ forms }) => forms)]
