import { type CommonOptions, connect } from '../connection.js'
import { type Difference, differencesOf, type Size } from '../differences.js'
import { dataOf, revisionOf } from '../newest-revision.js'
import { bold, cyan, green, printLine, red, show } from '../output.js'
import { plain } from '../text.js'

/** Compares two revisions; of figures, the newest ones. */
export async function diff(before: string, after: string, options: CommonOptions): Promise<void> {
  const connection = await connect(options)
  const { figbase } = connection
  const [left, right] = [
    await dataOf(figbase, await revisionOf(connection, before)),
    await dataOf(figbase, await revisionOf(connection, after)),
  ]
  const found = await differencesOf(figbase, left, right)
  show(options.json, found, () => found.forEach(print))
}

function print(one: Difference): void {
  const name = bold(plain(one.name ?? one.type))
  printLine(`${one.state.padEnd(7)}  ${one.type}  ${name}${summaryOf(one)}`)
  for (const line of one.patch?.trimEnd().split('\n') ?? []) printLine(coloured(plainLine(line)))
}

function summaryOf({ state, tables, pixels, bytes, patch }: Difference): string {
  if (tables) return `  ${tablesOf(tables)}`
  if (pixels) return `  ${sizeOf(pixels.before)} → ${sizeOf(pixels.after)}`
  return state === 'changed' && patch === undefined
    ? `  ${bytes.before} → ${bytes.after} bytes`
    : ''
}

function tablesOf({ before, after }: NonNullable<Difference['tables']>): string {
  const added = after.columns.filter((name) => !before.columns.includes(name))
  const removed = before.columns.filter((name) => !after.columns.includes(name))
  const shapes = [before, after].map(({ rows, columns }) => `${rows} × ${columns.length}`)
  const columns = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)]
  return plain([shapes.join(' → '), ...columns].join('  '))
}

const sizeOf = (size: Size | null) => (size ? `${size.width} × ${size.height}` : 'unknown size')

/** Keeps the indentation. */
const plainLine = (line: string) => {
  const [indent = ''] = /^[ +-]?[ \t]*/.exec(line) ?? []
  return indent + plain(line.slice(indent.length))
}

function coloured(line: string): string {
  if (line.startsWith('+')) return green(line)
  if (line.startsWith('-')) return red(line)
  return line.startsWith('@@') ? cyan(line) : line
}
