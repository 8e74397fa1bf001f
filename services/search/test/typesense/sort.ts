import { Failure } from './failure.js'
import type { Ranked } from './search.js'
import type { Field } from './store.js'

const clausesMax = 3

/** The order of `sort_by`: up to three fields, each `:asc` or `:desc`. */
export function compareBy(text: string, fields: Field[]): (a: Ranked, b: Ranked) => number {
  const clauses = text.split(',').map((clause) => clause.split(':'))
  if (clauses.length > clausesMax)
    throw new Failure(422, 'Only upto 3 sort_by fields can be specified.')
  const orders = clauses.map(([name = '', direction = '']) => {
    const field = fields.find((one) => one.name === name)
    const isSortable = field?.sort || field?.type === 'int64'
    if (name !== '_text_match' && name !== '_vector_distance' && !isSortable)
      throw new Failure(404, `Could not find a field named \`${name}\` in the schema for sorting.`)
    const sign = direction.toLowerCase() === 'asc' ? 1 : -1
    return (a: Ranked, b: Ranked) => sign * compare(sortValue(a, name), sortValue(b, name))
  })
  return (a, b) => orders.map((order) => order(a, b)).find((order) => order !== 0) ?? 0
}

type Value = bigint | number | string

function sortValue({ entry, match, distance }: Ranked, name: string): Value {
  if (name === '_vector_distance') return distance ?? 0
  if (name === '_text_match') return match?.score ?? 0n
  return (entry.document[name] ?? '') as Value
}

const compare = (a: Value, b: Value) => (a < b ? -1 : Number(a > b))
