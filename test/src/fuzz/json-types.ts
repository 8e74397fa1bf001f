import { type Document, merged, type Schema } from './operations.js'

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/** The types that the schema allows; undefined: all. */
export function typesOf(document: Document, schema: Schema): Set<JsonType> | undefined {
  const whole = merged(document, schema)
  if ('const' in whole) return new Set([typeOf(whole.const)])
  if (whole.enum) return new Set(whole.enum.map(typeOf))
  const choices = whole.anyOf ?? whole.oneOf
  if (choices) {
    const all = choices.map((choice) => typesOf(document, choice))
    return all.includes(undefined) ? undefined : new Set(all.flatMap((types) => [...(types ?? [])]))
  }
  if (whole.type === undefined) return whole.properties && new Set<JsonType>(['object'])
  const types = [whole.type].flat()
  return new Set(types.map((type) => (type === 'integer' ? 'number' : type) as JsonType))
}

export const allows = (document: Document, schema: Schema, value: unknown): boolean =>
  typesOf(document, schema)?.has(typeOf(value)) ?? true
