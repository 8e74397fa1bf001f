import { Failure } from './failure.js'
import { tokensOf } from './tokens.js'

export type Field = {
  name: string
  type: string
  optional?: boolean
  index?: boolean
  sort?: boolean
  num_dim?: number
}

export type StoredDocument = Record<string, unknown> & { id: string }

/** A document with the words of its indexed text fields. */
export type Entry = { document: StoredDocument; words: Map<string, string[]> }

export type Collection = {
  name: string
  fields: Field[]
  createdAt: number
  entries: Map<string, Entry>
}

export type Action = 'create' | 'update' | 'upsert' | 'emplace'

/** The result of one line of an import. */
export type LineResult = { success: boolean; code?: number; error?: string; document?: string }

const checks: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  'string[]': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  bool: (value) => typeof value === 'boolean',
  int64: (value) => Number.isInteger(value),
  'float[]': (value) => Array.isArray(value) && value.every((one) => typeof one === 'number'),
}

/** Writes the documents of an import, each line by itself. */
export function importLines(collection: Collection, text: string, action: Action): LineResult[] {
  return text.split('\n').map((line) => {
    try {
      write(collection, parsed(line), action)
      return { success: true }
    } catch (err) {
      if (!(err instanceof Failure)) throw err
      return { success: false, code: err.status, error: err.message, document: line }
    }
  })
}

function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    throw new Failure(400, 'Bad JSON.')
  }
}

function write({ fields, entries }: Collection, given: Record<string, unknown>, action: Action) {
  const id = given.id
  if (typeof id !== 'string' || id === '')
    throw new Failure(400, 'Document `id` should be a string.')
  const before = entries.get(id)
  if (action === 'create' && before)
    throw new Failure(409, `A document with id ${id} already exists.`)
  if (action === 'update' && !before)
    throw new Failure(404, `Could not find a document with id: ${id}`)
  const keepsOthers = action === 'update' || action === 'emplace'
  const document = { ...(keepsOthers && before?.document), ...given, id }
  for (const field of fields) checkField(field, document)
  const words = new Map<string, string[]>()
  for (const { name, type, index } of fields) {
    const value = (document as Record<string, unknown>)[name]
    if (type === 'string' && index !== false && typeof value === 'string')
      words.set(name, tokensOf(value))
  }
  entries.set(id, { document, words })
}

function checkField(
  { name, type, optional, num_dim: dimensions }: Field,
  document: Record<string, unknown>,
) {
  const value = document[name]
  const check = checks[type]
  if (!check) throw new Failure(400, `The test server does not have the type ${type}.`)
  if (value === undefined || value === null) {
    if (optional) return
    const missing = value === undefined
    throw new Failure(
      400,
      missing
        ? `Field \`${name}\` has been declared in the schema, but is not found in the document.`
        : `Field \`${name}\` must be of type ${type}.`,
    )
  }
  if (!check(value)) throw new Failure(400, `Field \`${name}\` must be of type ${type}.`)
  if (dimensions && (value as unknown[]).length !== dimensions)
    throw new Failure(400, `Field \`${name}\` must have ${dimensions} dimensions.`)
}

/** As an answer describes it. */
export const describe = ({ name, fields, createdAt, entries }: Collection): object => ({
  ...{ name, fields, default_sorting_field: '', enable_nested_fields: false },
  ...{ symbols_to_index: [], token_separators: [] },
  ...{ created_at: createdAt, num_documents: entries.size },
})
