import { Buffer } from 'node:buffer'
import type { Probe } from './compile-query.js'
import { queriedFields, textFieldNames } from './fields.js'

/** One search of a `multi_search`. */
export type SearchRequest = { collection: string; q: string; filter_by: string } & Record<
  string,
  string | number | boolean
>

/** Typesense returns no more hits of a search. */
export const hitsMax = 250
/** Typesense's default for one request. */
const searchesMax = 50
/** Words that are considered for an unfinished or mistyped one. */
const candidateWordsMax = 100

const perField = (value: (field: (typeof queriedFields)[number]) => string | number | boolean) =>
  queriedFields.map(value).join(',')

/** Typesense must not drop words, split words, or take others for them unless the probe says so. */
export function searchRequest(collection: string, filter: string, probe: Probe): SearchRequest {
  const { q, isPrefix, allowsErrors } = probe
  return {
    ...{ collection, q, filter_by: filter },
    query_by: perField(({ name }) => name),
    query_by_weights: perField(({ weight }) => weight),
    prefix: perField(({ isText }) => isPrefix && isText),
    num_typos: perField(({ isText }) => (allowsErrors && isText ? 1 : 0)),
    min_len_1typo: 5,
    typo_tokens_threshold: allowsErrors ? hitsMax : 0,
    enable_typos_for_numerical_tokens: false,
    enable_typos_for_alpha_numerical_tokens: false,
    drop_tokens_threshold: 0,
    split_join_tokens: 'off',
    max_candidates: candidateWordsMax,
    text_match_type: 'max_score',
    sort_by: '_text_match:desc,created_on:desc,order:asc',
    include_fields: 'id,created_on',
    enable_highlight_v1: false,
    // The highlighted words of a mistyped one are the words that it was taken for.
    highlight_fields: allowsErrors ? textFieldNames.join(',') : 'none',
    per_page: hitsMax,
  }
}

/** All documents that the filter allows, the newest first. */
export const newestRequest = (collection: string, filter: string): SearchRequest => ({
  ...{ collection, q: '*', filter_by: filter },
  sort_by: 'created_on:desc,order:asc',
  include_fields: 'id',
  highlight_fields: 'none',
  per_page: hitsMax,
})

/** The texts of documents by their ids, of which there are at most `hitsMax`. */
export const textsRequest = (collection: string, ids: string): SearchRequest => ({
  ...{ collection, q: '*', filter_by: `id:${ids}` },
  include_fields: 'id,texts',
  highlight_fields: 'none',
  per_page: hitsMax,
})

/** Parts of a list for one request each. A request that is larger by itself is a part of its own. */
export function inRequests(searches: SearchRequest[], bytesMax: number): SearchRequest[][] {
  const requests: SearchRequest[][] = []
  let bytes = 0
  for (const search of searches) {
    const size = Buffer.byteLength(JSON.stringify(search))
    const current = requests.at(-1)
    if (current && bytes + size <= bytesMax && current.length < searchesMax) {
      current.push(search)
      bytes += size
    } else {
      requests.push([search])
      bytes = size
    }
  }
  return requests
}
