import type { TextQuery } from '../../text/query.js'
import type { Filter, FindOptions, TextHit } from '../port.js'
import { type Condition, compileQuery } from './compile-query.js'
import type { Connection } from './connection.js'
import { filterBy } from './filter-by.js'
import { highlightsOf } from './highlights.js'
import { multiSearch } from './multi-search.js'
import { type Found, type RankedHit, rank } from './rank.js'
import { newestRequest, searchRequest } from './search-request.js'

/**
 * The best documents, of the 250 that Typesense finds at most with each search. Typing errors are looked for only if
 * nothing that the filter allows matches.
 */
export async function findDocuments(
  connection: Connection,
  collection: string,
  query: TextQuery,
  filter: Filter,
  { limit, offset, withHighlights }: FindOptions,
): Promise<TextHit[]> {
  const expression = filterBy(filter)
  if (!expression || limit === 0) return []
  if (query.terms.length + query.without.length === 0) {
    if (!filter.metadata?.length) return []
    const [found] = await multiSearch(connection, [newestRequest(collection, expression)])
    const hits = found?.hits.slice(offset, offset + limit) ?? []
    return hits.map(({ document }) => ({ id: document.id, score: 1, highlights: [] }))
  }
  const run = (conditions: Condition[]) => search(connection, collection, expression, conditions)
  const asTyped = await run(compileQuery(query, false))
  const isCorrected = asTyped.length === 0
  const ranked = isCorrected ? await run(compileQuery(query, true)) : asTyped
  const page = ranked.slice(offset, offset + limit)
  const highlights = withHighlights
    ? await highlightsOf(connection, collection, query, page)
    : new Map<string, TextHit['highlights']>()
  return page.map(({ id, score }) => ({ id, score, highlights: highlights.get(id) ?? [] }))
}

async function search(
  connection: Connection,
  collection: string,
  filter: string,
  conditions: Condition[],
): Promise<RankedHit[]> {
  const probes = conditions.flat()
  if (probes.length === 0) return []
  const requests = probes.map((probe) => searchRequest(collection, filter, probe))
  const results = await multiSearch(connection, requests)
  let at = 0
  const found = conditions.map((condition) =>
    condition.flatMap(({ level }): Found[] => {
      const result = results[at++]
      return result ? [{ ...result, level }] : []
    }),
  )
  return rank(found)
}
