import colors from 'picocolors'
import { plain, toJson, toTable } from './text.js'

/** Colours are for terminals: not for files, `NO_COLOR` and `TERM=dumb`. */
export const { bold, cyan, dim, green, red } = colors.createColors(
  process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
)

/** The one JSON document of `--json`, or else what `print` prints. */
export function show(json: boolean | undefined, value: unknown, print: () => void): void {
  if (json) process.stdout.write(`${toJson(value)}\n`)
  else print()
}

export const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Texts of others are made safe here. */
export const printTable = (rows: (string | number | null | undefined)[][]): void => {
  process.stdout.write(toTable(rows.map((row) => row.map((cell) => plain(String(cell ?? ''))))))
}

/** For people, beside the output: progress and hints. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
