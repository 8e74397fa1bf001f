import type { Client } from 'typesense'
import { type Connection, failureOfStatus, TypesenseFailure } from './connection.js'
import { inRequests, type SearchRequest } from './search-request.js'

/** What is read of a hit. */
export type Hit = {
  document: { id: string; created_on?: number; texts?: string }
  /** By field. */
  highlight?: Record<string, { matched_tokens?: unknown }>
  /** The score is an integer of 64 bits. */
  text_match_info?: { score?: string; best_field_weight?: number }
  /** From 0 to 2, of a search for the nearest. */
  vector_distance?: number
}

export type SearchResult = { found: number; hits: Hit[] }

type Answer = Partial<SearchResult> & { code?: number; error?: string }

/** The results in the order of the searches. Without the collection, they are empty. */
export async function multiSearch(
  connection: Connection,
  searches: SearchRequest[],
): Promise<SearchResult[]> {
  const results: SearchResult[] = []
  for (const part of inRequests(searches, connection.settings.requestBytesMax)) {
    results.push(...(await connection.search((client, signal) => perform(client, part, signal))))
  }
  return results
}

async function perform(client: Client, searches: SearchRequest[], abortSignal: AbortSignal) {
  const response = await client.multiSearch.perform({ searches }, {}, { abortSignal })
  const answers = response.results as unknown as Answer[]
  if (answers.length !== searches.length)
    throw new TypesenseFailure(200, `${answers.length} results for ${searches.length} searches`)
  return answers.map(resultOf)
}

/** The status of one search is in its result. */
function resultOf({ code, error, found, hits }: Answer): SearchResult {
  if (code === 404) return { found: 0, hits: [] }
  if (code !== undefined) throw failureOfStatus(code, error ?? '')
  return { found: found ?? 0, hits: hits ?? [] }
}
