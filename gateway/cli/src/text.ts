import { stripVTControlCharacters } from 'node:util'

/** Control characters, and those that change the direction of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** A text of others in one line, without escape sequences, which a terminal would obey. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(unsafe, ' ').trim()

/** JSON in which a terminal finds no control characters. Its readers get the same values. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Rows in columns of equal width; the last one is not padded. */
export function toTable(rows: string[][]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows
    .map((row) => {
      const padded = row.map((cell, at) => cell.padEnd(at < row.length - 1 ? (widths[at] ?? 0) : 0))
      return `${padded.join('  ').trimEnd()}\n`
    })
    .join('')
}

/** A time of the API, as a reader of a terminal wants it. */
export const toTime = (time: string | null): string => (time ?? '').slice(0, 16).replace('T', ' ')
