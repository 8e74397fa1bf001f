import { createHash } from 'node:crypto'
import type { Filter, Neighbor, VectorModel } from '../port.js'
import { type Connection, TypesenseFailure } from './connection.js'
import { filterBy } from './filter-by.js'
import { multiSearch } from './multi-search.js'
import { hitsMax, type SearchRequest } from './search-request.js'

/** If the filter allows fewer documents, Typesense compares all of them: its graph misses some of the nearest. */
const exactMax = 10_000
/** Of a number; a float has 7 to 9. */
const digits = 8

/** A field of its own for each model, so that no vector of another one is compared or refused. */
export const vectorFieldOf = ({ model, dimensions }: VectorModel): string =>
  `vector_${createHash('sha256').update(`${dimensions} ${model}`).digest('hex').slice(0, 12)}`

export const toNumbers = (vector: Float32Array): number[] =>
  Array.from(vector, (value) => Number(value.toPrecision(digits)))

/** At most 250. */
export async function findNearest(
  connection: Connection,
  collection: string,
  model: VectorModel,
  vector: Float32Array,
  filter: Filter,
  k: number,
): Promise<Neighbor[]> {
  if (vector.length !== model.dimensions)
    throw new Error(`a vector has ${vector.length} instead of ${model.dimensions} numbers`)
  const expression = filterBy(filter)
  const limit = Math.min(k, hitsMax)
  if (!expression || limit < 1) return []
  const numbers = toNumbers(vector).join(',')
  const request: SearchRequest = {
    ...{ collection, q: '*', filter_by: expression },
    vector_query: `${vectorFieldOf(model)}:([${numbers}], k:${limit}, flat_search_cutoff:${exactMax})`,
    sort_by: '_vector_distance:asc,created_on:desc,order:asc',
    include_fields: 'id',
    highlight_fields: 'none',
    per_page: limit,
  }
  const [result] = await multiSearch(connection, [request]).catch(withoutField)
  return (result?.hits ?? []).map(({ document: { id }, vector_distance: distance = 2 }) => ({
    id,
    score: Math.min(1, Math.max(0, 1 - distance / 2)),
  }))
}

/** The live collection is older than the model: `figbase-server reindex` makes one with its field. */
function withoutField(err: unknown): [] {
  const isMissing =
    err instanceof TypesenseFailure && /does not have a vector query/.test(err.message)
  if (!isMissing) throw err
  return []
}
