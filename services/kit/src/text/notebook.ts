/** The code of a Jupyter notebook, and its notes as comments, without outputs. Undefined if the JSON is something else. */
export function notebookCode(json: unknown): string | undefined {
  const cells = cellsOf(json)
  if (!cells.some(({ cell_type }) => typeof cell_type === 'string')) return undefined
  return cells.map(textOf).join('\n')
}

type Cell = { cell_type?: unknown; source?: unknown }

function cellsOf(json: unknown): Cell[] {
  const { cells } = (json ?? {}) as { cells?: unknown }
  return Array.isArray(cells) ? cells.filter((cell) => typeof cell === 'object' && cell) : []
}

function textOf({ cell_type, source }: Cell): string {
  const text = Array.isArray(source)
    ? source.filter((line) => typeof line === 'string').join('')
    : source
  if (typeof text !== 'string') return ''
  if (cell_type === 'code') return text
  return cell_type === 'markdown' ? text.replace(/^/gm, '# ') : ''
}
