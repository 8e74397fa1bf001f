import { createRequire } from 'node:module'
import * as library from '@kubernetes/client-node'
import { type ApiObject, plurals } from './api-object.js'
import { invalid, StatusError } from './status-error.js'

const require = createRequire(import.meta.url)

type Model = new (data: object) => { validate(): void }
type Described = { getAttributeTypeMap?(): { baseName: string; type: string }[] }

const models = new Map(
  Object.entries(plurals).map(([plural, { kind, group }]): [string, Model] => {
    const path = group ? `${group}/v1` : 'v1'
    return [plural, require(`kubernetes-models/${path}/${kind}`)[kind]]
  }),
)

/** Refuses fields that the API does not have, and values that it does not permit. */
export function checkSchema(plural: string, object: ApiObject): void {
  const kind = plurals[plural]?.kind ?? ''
  const problems = problemsOf(object, `V1${kind}`, '')
  if (problems.length > 0) {
    const why = `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`
    throw new StatusError(400, 'BadRequest', why)
  }
  const model = models.get(plural)
  if (!model) throw new Error(`there is no schema of ${plural}`)
  try {
    new model(object).validate()
  } catch (error) {
    throw invalid(kind, object.metadata.name, (error as Error).message)
  }
}

function problemsOf(value: unknown, type: string, path: string): string[] {
  if (value === null || value === undefined) return []
  const item = /^Array<(.*)>$/.exec(type)?.[1]
  if (item) {
    if (!Array.isArray(value)) return [`${path} is not a list`]
    return value.flatMap((each, index) => problemsOf(each, item, `${path}[${index}]`))
  }
  const entry = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1]
  if (entry) {
    return Object.entries(value).flatMap(([key, each]) => problemsOf(each, entry, `${path}.${key}`))
  }
  const described = (library as unknown as Record<string, Described>)[type]
  const fields = described?.getAttributeTypeMap?.()
  if (!fields) return isOf(value, type) ? [] : [`${path} is not a ${type}`]
  return Object.entries(value).flatMap(([key, each]) => {
    const at = path ? `${path}.${key}` : key
    const field = fields.find(({ baseName }) => baseName === key)
    return field ? problemsOf(each, field.type, at) : [`unknown field "${at}"`]
  })
}

function isOf(value: unknown, type: string): boolean {
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type
  if (type === 'Date') return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (type === 'IntOrString') return typeof value === 'string' || Number.isInteger(value)
  return true
}
