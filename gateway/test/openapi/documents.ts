import { readSettings } from '@figbase/kit/config'
import { readConfig } from '../../src/config.js'
import { openApi } from '../../src/openapi/document.js'
import { endpoints } from '../../src/routes/index.js'
import { type Version, versions } from '../../src/versions.js'

export type Json = Record<string, unknown>

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  parameters?: Json[]
  requestBody?: Json
  responses: Record<string, Json>
}

export type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Json>>
}

const cfg = readSettings({}, readConfig)

const documents = new Map(
  versions.map((version) => [version, openApi(endpoints, version, cfg) as unknown as Document]),
)

export const documentOf = (version: Version): Document => documents.get(version) as Document

/** All operations of a document; a path has parameters beside them. */
export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' ? [] : [operation],
    ),
  )

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Each object in a value, with the names that lead to it. */
export function* objectsIn(value: unknown, path: string[] = []): Generator<[string[], Json]> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* objectsIn(item, [...path, String(i)])
  }
  if (!isObject(value)) return
  yield [path, value]
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, [...path, name])
}
