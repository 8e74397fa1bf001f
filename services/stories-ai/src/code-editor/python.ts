import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'

/** Errors of the syntax, and those that Python reports before it runs code, such as `return` outside of a function. */
const rules = ['E9', 'F7']

type Diagnostic = { message: string; start_location: { row: number } }

export type Parsed = {
  /** The first error. */
  problem?: string
  /** The top-level names of imported modules; relative imports as `.`. */
  imports: string[]
}

/** Parses Python with the parser of Ruff. */
export function parsePython(code: string): Parsed {
  const workspace = new Workspace({ lint: { select: rules } }, PositionEncoding.Utf16)
  try {
    const [first] = workspace.check(code) as Diagnostic[]
    if (first) return { problem: `line ${first.start_location.row}: ${first.message}`, imports: [] }
    return { imports: importsIn(code, workspace.tokens(code)) }
  } finally {
    workspace.free()
  }
}

const beforeStatement = new Set([
  'Newline',
  'NonLogicalNewline',
  'Indent',
  'Dedent',
  'Semi',
  'Colon',
  'Comment',
])

/** From the list of tokens, which names each with its place in bytes: `Import 0..6,`. */
function importsIn(code: string, list: string): string[] {
  const bytes = Buffer.from(code)
  const tokens = [...list.matchAll(/^ {4}(\w+) (\d+)\.\.(\d+)/gm)].map(
    ([, kind = '', from, to]) => ({
      kind,
      text: bytes.toString('utf8', Number(from), Number(to)),
    }),
  )
  const imports = new Set<string>()
  let isFirst = true
  let isImport = false
  tokens.forEach(({ kind }, at) => {
    const next = tokens[at + 1]
    if (isFirst && kind === 'From' && next) {
      imports.add(/^(Dot|Ellipsis)$/.test(next.kind) ? '.' : next.text)
    }
    if (isFirst) isImport = kind === 'Import'
    if (isImport && next && (kind === 'Import' || kind === 'Comma')) imports.add(next.text)
    isFirst = beforeStatement.has(kind)
  })
  return [...imports]
}
