import type { Db } from '../../db/schema.js'
import {
  correctableWords,
  isOneErrorAway,
  misspellableWords,
  variantsOf,
} from '../../text/correctable.js'
import type { TextQuery } from '../../text/query.js'
import { snippetsOf } from '../../text/snippets.js'
import {
  type FieldName,
  fieldNames,
  type Generation,
  type IndexedDocument,
  type SearchEngine,
  type TextHit,
} from '../port.js'
import {
  addWords,
  createPartitions,
  dropPartitions,
  findEntries,
  listSimilarWords,
  readFields,
  readState,
  removeEntries,
  setLive,
  upsertEntries,
} from './entries.js'
import { type Corrections, wordsQuery } from './words-query.js'
import { wordsVector } from './words-vector.js'

/** Of more objects with the words, the newest are ranked. */
const rankedMax = 5000
const similarMax = 200
const correctionsMax = 8

/** Words that people mistype: not those of code and of recognized text. */
const correctedFields: FieldName[] = [
  'name',
  'description',
  'files',
  'metadata',
  'columns',
  'comments',
]

/** The search engine on PostgreSQL, in the schema of the service. */
export function createEmbeddedEngine(db: Db): SearchEngine {
  async function correctionsOf(query: TextQuery): Promise<Corrections> {
    const corrections = new Map<string, string[]>()
    for (const word of misspellableWords(query)) {
      const similar = await listSimilarWords(db, variantsOf(word), similarMax)
      const near = similar.filter((other) => other !== word && isOneErrorAway(word, other))
      if (near.length > 0) corrections.set(word, near.sort().slice(0, correctionsMax))
    }
    return corrections
  }

  return {
    name: 'embedded',
    version: '1',
    async find(query, filter, { limit, offset, withHighlights }) {
      const page = { rankedMax, limit, offset }
      const asWritten = wordsQuery(query)
      if (asWritten === undefined) return []
      let words = new Map<string, string[]>() as Corrections
      let entries = await findEntries(db, filter, { query: asWritten, ...page })
      if (entries.length === 0 && !(offset > 0 && (await hasAny(asWritten)))) {
        words = await correctionsOf(query)
        const corrected = words.size > 0 ? wordsQuery(query, words) : undefined
        if (corrected) entries = await findEntries(db, filter, { query: corrected, ...page })
      }
      return withHighlights ? highlighted(entries, query, words) : entries.map(plain)

      async function hasAny(query: string) {
        const first = { query, rankedMax: 1, limit: 1, offset: 0 }
        return (await findEntries(db, filter, first)).length > 0
      }
    },
    create: (generation) => createPartitions(db, generation),
    async write(generation, documents) {
      await upsertEntries(db, generation, documents.map(entryOf))
      await addCorrectable(generation, documents)
      return new Map()
    },
    // The table of places serves this engine, too.
    async place() {},
    remove: (generation, ids) => removeEntries(db, generation, ids),
    publish: (generation) => setLive(db, generation),
    drop: (generation) => dropPartitions(db, generation),
    check: () => readState(db),
    async [Symbol.asyncDispose]() {},
  }

  async function addCorrectable(generation: Generation, documents: IndexedDocument[]) {
    const found = new Set<string>()
    for (const { fields } of documents)
      for (const name of correctedFields)
        for (const word of correctableWords(fields[name] ?? '')) found.add(word)
    const variants: string[] = []
    const words: string[] = []
    for (const word of found) {
      for (const variant of variantsOf(word)) {
        variants.push(variant)
        words.push(word)
      }
    }
    if (words.length > 0) await addWords(db, generation, variants, words)
  }

  async function highlighted(
    entries: { id: string; score: number }[],
    query: TextQuery,
    corrections: Corrections,
  ): Promise<TextHit[]> {
    const texts = await readFields(
      db,
      entries.map(({ id }) => id),
    )
    return entries.map(({ id, score }) => {
      const fields = texts.get(id) ?? {}
      const highlights = fieldNames.flatMap((field) => {
        const snippets = snippetsOf(fields[field] ?? '', query, corrections)
        return snippets.length > 0 ? [{ field, snippets }] : []
      })
      return { id, score, highlights }
    })
  }
}

const plain = ({ id, score }: { id: string; score: number }): TextHit => ({
  id,
  score,
  highlights: [],
})

const entryOf = (document: IndexedDocument) => ({
  id: document.id,
  words: wordsVector(document),
  fields: JSON.stringify(withoutNul(document.fields)),
})

/** PostgreSQL stores no NUL in JSON that is read as text. */
const withoutNul = (fields: IndexedDocument['fields']) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.replaceAll('\0', ' ')]),
  )
