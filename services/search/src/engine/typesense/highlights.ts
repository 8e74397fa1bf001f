import type { TextQuery } from '../../text/query.js'
import { snippetsOf } from '../../text/snippets.js'
import { isOneErrorApart } from '../../text/typing-errors.js'
import { type Corrections, wantedOf } from '../../text/wanted.js'
import { fieldNames, type IndexedDocument, type TextHit } from '../port.js'
import type { Connection } from './connection.js'
import { textFieldNames } from './fields.js'
import { listOf } from './filter-by.js'
import { type Hit, multiSearch } from './multi-search.js'
import type { RankedHit } from './rank.js'
import { textsRequest } from './search-request.js'

/** Of one request. Each document has up to 16,000 characters of a field. */
const documentsMax = 50

/**
 * Snippets of the texts as people wrote them, by id. Typesense's own snippets are of the words that were written for it
 * (`il 6` for `IL-6`); they say which words a mistyped one was taken for.
 */
export async function highlightsOf(
  connection: Connection,
  collection: string,
  query: TextQuery,
  hits: RankedHit[],
): Promise<Map<string, TextHit['highlights']>> {
  const highlights = new Map<string, TextHit['highlights']>()
  for (let at = 0; at < hits.length; at += documentsMax) {
    const part = hits.slice(at, at + documentsMax)
    const texts = await readTexts(connection, collection, part)
    for (const { id, hit } of part) highlights.set(id, snippetsOfHit(query, hit, texts.get(id)))
  }
  return highlights
}

async function readTexts(connection: Connection, collection: string, hits: RankedHit[]) {
  const ids = listOf(hits.map(({ id }) => id))
  if (!ids) return new Map<string, string>()
  const [found] = await multiSearch(connection, [textsRequest(collection, ids)])
  return new Map(found?.hits.map(({ document }) => [document.id, document.texts ?? '{}']))
}

function snippetsOfHit(query: TextQuery, hit: Hit, texts = '{}'): TextHit['highlights'] {
  const fields = JSON.parse(texts) as IndexedDocument['fields']
  const wanted = wantedOf(query, correctionsOf(query, hit)).terms.flat()
  return fieldNames.flatMap((field) => {
    const snippets = snippetsOf(fields[field] ?? '', wanted)
    return snippets.length > 0 ? [{ field, snippets }] : []
  })
}

/** The matched words of a hit that are one typing error apart from words of the query. */
function correctionsOf(query: TextQuery, { highlight = {} }: Hit): Corrections {
  const matched = textFieldNames.flatMap((name) => wordsOf(highlight[name]?.matched_tokens))
  const corrections: Corrections = new Map()
  if (matched.length === 0) return corrections
  const typed = wantedOf(query).terms.flat()
  for (const form of typed.flatMap(({ parts }) => parts.flatMap(({ forms }) => forms))) {
    const near = matched.filter((word) => word !== form && isOneErrorApart(form, word))
    if (near.length > 0) corrections.set(form, near)
  }
  return corrections
}

const wordsOf = (tokens: unknown): string[] =>
  Array.isArray(tokens) ? tokens.filter((token) => typeof token === 'string') : []
