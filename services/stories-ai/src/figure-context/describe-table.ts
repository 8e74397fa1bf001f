import papaparse from 'papaparse'

const rowsReadMax = 100
const rowsShownMax = 5
const columnsMax = 200
const cellCharsMax = 100

/**
 * What the beginning of a CSV file says about its table: columns with inferred types, and the first rows. Undefined if
 * it has only one column, because then it is no table.
 */
export function describeTable(head: string, isWhole: boolean): string | undefined {
  const options = { preview: rowsReadMax + 1, skipEmptyLines: true as const }
  const { data } = papaparse.parse<string[]>(head, options)
  // The last row of a beginning may be cut.
  if (!isWhole && data.length > 1 && data.length <= rowsReadMax) data.pop()
  const [first = [], ...rest] = data
  if (first.length < 2) return undefined
  const hasNames = first.some((cell) => typeOf([cell]) === 'text')
  const rows = hasNames ? rest : data
  const columns = first.slice(0, columnsMax).map((cell, index) => {
    const name = hasNames ? shown(cell) || `column ${index + 1}` : `column ${index + 1}`
    return `- ${name} (${typeOf(rows.map((row) => row[index] ?? ''))})`
  })
  const more = first.length > columnsMax ? [`- and ${first.length - columnsMax} more columns`] : []
  const examples = rows
    .slice(0, rowsShownMax)
    .map((row) => row.slice(0, columnsMax).map(shown).join(' | '))
  return ['columns:', ...columns, ...more, 'first rows:', ...examples].join('\n')
}

const shown = (cell: string) => cell.replace(/\s+/g, ' ').trim().slice(0, cellCharsMax)

const types: [name: string, pattern: RegExp][] = [
  ['integer', /^[+-]?\d{1,18}$/],
  ['number', /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i],
  ['boolean', /^(true|false)$/i],
  ['date', /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:?\d{2})?)?$/],
]
const missing = /^(|na|nan|null|none)$/i

/** The type of all values that are not missing. */
function typeOf(values: string[]): string {
  const present = values.map((value) => value.trim()).filter((value) => !missing.test(value))
  if (present.length === 0) return 'empty'
  const fits = types.find(([, pattern]) => present.every((value) => pattern.test(value)))
  return fits?.[0] ?? 'text'
}
