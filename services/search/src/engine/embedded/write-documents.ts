import type { Db } from '../../db/schema.js'
import type { Generation, IndexedDocument } from '../port.js'
import { packTexts } from './texts.js'
import { vectorOf } from './vector.js'
import { insertWords, type NewEntry, upsertEntries } from './write.js'

/** A statement ends after this many bytes, so that large documents do not exceed its memory. */
const statementBytesMax = 8 * 2 ** 20
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Adds or replaces documents, the last one of each id. Resolves to those rejected, with the reason. */
export async function writeDocuments(
  db: Db,
  generation: Generation,
  documents: IndexedDocument[],
): Promise<Map<string, string>> {
  const rejected = new Map<string, string>()
  const last = new Map<string, IndexedDocument>()
  for (const document of documents) {
    if (uuid.test(document.id)) last.set(document.id.toLowerCase(), document)
    else rejected.set(document.id, 'its id is not a UUID')
  }
  let entries: NewEntry[] = []
  let words = new Set<string>()
  let bytes = 0
  const flush = async () => {
    await insertWords(db, generation, [...words])
    if (entries.length > 0) await upsertEntries(db, generation, entries)
    entries = []
    words = new Set()
    bytes = 0
  }
  for (const [id, document] of last) {
    const vector = vectorOf(document)
    const texts = packTexts(document.fields).toString('base64')
    entries.push({ id, words: vector.text, title_words: vector.titleWords, texts })
    for (const word of vector.words) words.add(word)
    bytes += vector.text.length + texts.length
    if (bytes > statementBytesMax) await flush()
  }
  await flush()
  return rejected
}
