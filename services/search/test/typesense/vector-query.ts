import { Failure } from './failure.js'
import type { Entry, Field } from './store.js'

const expression = /^([\w.]+):\(\[([^\]]*)\], ?k: ?(\d+), ?flat_search_cutoff: ?(\d+)\)$/

/** The `k` entries with the least cosine distance to the vector of `vector_query`, and that distance. Exact. */
export function nearestEntries(
  entries: Entry[],
  fields: Field[],
  text: string,
): { entry: Entry; distance: number }[] {
  const parsed = expression.exec(text)
  if (!parsed) throw new Failure(400, 'Malformed vector query string.')
  const [, name = '', list = '', k = ''] = parsed
  const field = fields.find((one) => one.name === name)
  if (!field?.num_dim)
    throw new Failure(400, `Field \`${name}\` does not have a vector query index.`)
  const query = list.split(',').map(Number)
  if (query.length !== field.num_dim || query.some(Number.isNaN))
    throw new Failure(400, `Query field \`${name}\` must have ${field.num_dim} dimensions.`)
  return entries
    .flatMap((entry) => {
      const vector = entry.document[name] as number[] | undefined
      return vector ? [{ entry, distance: cosineDistance(vector, query) }] : []
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, Number(k))
}

/** A float, as Typesense returns it. */
function cosineDistance(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) =>
    x.reduce((sum, value, n) => sum + value * (y[n] ?? 0), 0)
  return Math.fround(1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)))
}
