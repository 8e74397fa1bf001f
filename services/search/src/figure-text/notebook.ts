import { isObject, type Json, type JsonObject, objectsIn } from './json-value.js'

export const isNotebook = (json: Json): json is JsonObject =>
  isObject(json) && objectsIn(json.cells).some(({ cell_type }) => typeof cell_type === 'string')

/** The code of a Jupyter notebook, and its notes as comments. Outputs are left out. */
export function notebookCode({ cells }: JsonObject): string {
  return objectsIn(cells)
    .map(({ cell_type, source }) => {
      const text = Array.isArray(source)
        ? source.filter((line) => typeof line === 'string').join('')
        : source
      if (typeof text !== 'string') return ''
      if (cell_type === 'code') return text
      return cell_type === 'markdown' ? text.replace(/^/gm, '# ') : ''
    })
    .join('\n')
}
