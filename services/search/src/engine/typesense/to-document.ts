import { isUuid } from '@figbase/kit/ids'
import { fieldNames, type IndexedDocument, type PlacedObject, type VectorModel } from '../port.js'
import { formsOf } from './fields.js'
import { toNumbers, vectorFieldOf } from './vectors.js'
import { indexedIds, indexedWords } from './words.js'

export type DocumentLimits = {
  /** Of a field. */
  wordsMax: number
  /** Of a field; snippets of the rest are not shown. */
  shownCharsMax: number
}

export const documentLimits: DocumentLimits = { wordsMax: 20_000, shownCharsMax: 16_000 }

/** What `place` replaces. */
export type PlaceFields = { id: string; below: string[]; hidden: boolean }

export type TypesenseDocument = PlaceFields & {
  type: string
  /** Milliseconds since 1970. */
  created_on: number
  order: string
  texts: string
} & Record<string, unknown>

export function placeFieldsOf(object: PlacedObject): PlaceFields {
  const { id, workspaceId, analysisId, itemId, hiddenBy } = object
  const ids = [workspaceId, analysisId, itemId, id].filter((one) => one !== null)
  const below = [...new Set(ids.map((one) => one.toLowerCase()))]
  return { id: id.toLowerCase(), below, hidden: hiddenBy !== null }
}

/** A document as Typesense stores it, or the reason why it cannot be indexed. */
export function toDocument(
  document: IndexedDocument,
  model?: VectorModel | undefined,
  limits: DocumentLimits = documentLimits,
): TypesenseDocument | string {
  const { id, type, createdOn, fields, metadata, vector } = document
  if (!isUuid(id)) return 'its id is not a UUID'
  const shown: IndexedDocument['fields'] = {}
  const words: Record<string, string> = {}
  for (const field of fieldNames) {
    const text = fields[field]
    if (!text) continue
    if (field === 'ids') {
      words.ids = indexedIds(text, limits.wordsMax)
      continue
    }
    shown[field] = text.slice(0, limits.shownCharsMax)
    const { parts, forms } = indexedWords(text, limits.wordsMax)
    words[field] = parts
    words[formsOf(field)] = forms
  }
  return {
    ...placeFieldsOf(document),
    ...{ type, created_on: Date.parse(createdOn), order: id.toLowerCase() },
    texts: JSON.stringify(shown),
    ...(metadata?.length && { tokens: metadata }),
    ...words,
    ...(model && vector && { [vectorFieldOf(model)]: toNumbers(vector) }),
  }
}
