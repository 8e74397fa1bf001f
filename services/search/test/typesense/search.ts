import { Failure } from './failure.js'
import { parseFilter } from './filter.js'
import { type DocumentMatch, type MatchRules, matchDocument } from './match.js'
import { compareBy } from './sort.js'
import type { Collection, Entry } from './store.js'
import { parseQ, tokensOf } from './tokens.js'
import { nearestEntries } from './vector-query.js'

export type Parameters = Record<string, unknown>
export type Ranked = { entry: Entry; match: DocumentMatch | undefined; distance?: number }

const perPageMax = 250
const defaultPerPage = 10

/** The result of one search. */
export function search(collection: Collection, parameters: Parameters): object {
  const read = reader(parameters)
  requireSupported(parameters)
  const matches = parseFilter(read.text('filter_by', ''), collection.fields)
  const allowed = [...collection.entries.values()].filter(({ document }) => matches(document))
  const ranked = rankedEntries(allowed, collection, parameters)
  const perPage = read.number('per_page', defaultPerPage)
  if (perPage > perPageMax) throw new Failure(422, 'Only upto 250 hits can be fetched per page.')
  const page = read.number('page', 1)
  const offset = read.number('offset', (page - 1) * perPage)
  const q = read.text('q', '')
  return {
    ...{ facet_counts: [], found: ranked.length, out_of: collection.entries.size, page },
    hits: ranked.slice(offset, offset + perPage).map((one) => hitOf(one, parameters)),
    request_params: { collection_name: collection.name, q, first_q: q, per_page: perPage },
    ...{ search_cutoff: false, search_time_ms: 0 },
  }
}

/** The test server has no such rules; without these settings, Typesense drops and splits words. */
function requireSupported(parameters: Parameters) {
  const { q, drop_tokens_threshold: dropped, split_join_tokens: split } = parameters
  if (q !== '*' && (dropped !== 0 || split !== 'off'))
    throw new Failure(400, 'The test server neither drops nor splits words.')
}

function rankedEntries(entries: Entry[], { fields }: Collection, parameters: Parameters): Ranked[] {
  const read = reader(parameters)
  const compare = compareBy(read.text('sort_by', '_text_match:desc'), fields)
  const q = read.text('q', '')
  const vectorQuery = read.text('vector_query', '')
  if (vectorQuery && q !== '*') throw new Failure(400, 'The test server has no hybrid search.')
  if (vectorQuery)
    return nearestEntries(entries, fields, vectorQuery)
      .map((found) => ({ ...found, match: undefined }))
      .sort(compare)
  if (q === '*') return entries.map((entry) => ({ entry, match: undefined })).sort(compare)
  const query = parseQ(q)
  if (query.words.length + query.phrases.length === 0) return []
  const rules = rulesOf(parameters)
  for (const { name } of rules.fields) {
    if (!fields.some((field) => field.name === name && field.index !== false))
      throw new Failure(404, `Could not find a field named \`${name}\` in the schema.`)
  }
  const find = (typosMax: number) => {
    const limited = rules.fields.map((one) => ({
      ...one,
      typosMax: Math.min(typosMax, one.typosMax),
    }))
    return entries.flatMap((entry) => {
      const match = matchDocument(entry, query, { ...rules, fields: limited })
      return match ? [{ entry, match }] : []
    })
  }
  const exact = find(0)
  const threshold = read.number('typo_tokens_threshold', 1)
  return (exact.length < threshold ? find(2) : exact).sort(compare)
}

function rulesOf(parameters: Parameters): MatchRules {
  const read = reader(parameters)
  const names = read.text('query_by', '').split(',')
  const perField = (name: string, fallback: string) => {
    const values = read.text(name, fallback).split(',')
    if (values.length !== 1 && values.length !== names.length)
      throw new Failure(400, `Number of values in \`${name}\` does not match \`query_by\`.`)
    return (at: number) => values[values.length === 1 ? 0 : at] ?? fallback
  }
  const weights = perField('query_by_weights', '1')
  const prefixes = perField('prefix', 'true')
  const typos = perField('num_typos', '2')
  return {
    fields: names.map((name, at) => ({
      name,
      weight: Number(weights(at)),
      prefix: prefixes(at) === 'true',
      typosMax: Number(typos(at)),
    })),
    errorCharsMin: read.number('min_len_1typo', 4),
    allowsErrorsWithDigits: parameters.enable_typos_for_alpha_numerical_tokens !== false,
  }
}

function hitOf({ entry, match, distance }: Ranked, parameters: Parameters): object {
  const read = reader(parameters)
  const included = read.text('include_fields', '').split(',').filter(Boolean)
  const isIncluded = ([name]: [string, unknown]) => included.length === 0 || included.includes(name)
  const document = Object.fromEntries(Object.entries(entry.document).filter(isIncluded))
  const near = distance === undefined ? {} : { vector_distance: distance }
  if (!match) return { document, highlight: {}, ...near }
  return {
    document,
    highlight: highlightOf(entry, match, read.text('highlight_fields', '')),
    text_match: Number(match.score),
    text_match_info: {
      ...{ best_field_score: String(match.score >> 8n), best_field_weight: match.bestWeight },
      ...{ fields_matched: match.fieldsMatched, num_tokens_dropped: 0, typo_prefix_score: 0 },
      ...{ score: String(match.score), tokens_matched: match.wordsMatched },
    },
  }
}

/** By field: the matched words, and the whole text with marks. */
function highlightOf({ document }: Entry, { matched }: DocumentMatch, fields: string): object {
  if (fields === 'none') return {}
  const asked = fields.split(',').filter(Boolean)
  const shown = [...matched].filter(([name]) => asked.length === 0 || asked.includes(name))
  const entries = shown.map(([name, words]) => {
    const marked = String(document[name])
      .split(' ')
      .map((word) => (words.has(tokensOf(word)[0] ?? '') ? `<mark>${word}</mark>` : word))
    return [name, { matched_tokens: [...words], snippet: marked.join(' ') }]
  })
  return Object.fromEntries(entries)
}

function reader(parameters: Parameters) {
  return {
    text: (name: string, fallback: string) => String(parameters[name] ?? fallback),
    number: (name: string, fallback: number) => Number(parameters[name] ?? fallback),
  }
}
