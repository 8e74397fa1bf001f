import { allows, type JsonType, typeOf, typesOf } from './json-types.js'
import { type Document, merged } from './operations.js'
import type { Random } from './random.js'
import type { Body, Site } from './schema-values.js'

export type Mutated = {
  what: string
  json: unknown
  /** Whether the document does not allow the body any more. */
  breaksSchema: boolean
}

const samples: Record<JsonType, unknown> = {
  null: null,
  boolean: true,
  number: 5,
  string: 'text',
  array: ['a'],
  object: { a: 1 },
}

const depth = 300
const nested = () => {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

type Change = Omit<Mutated, 'json'> & { value?: unknown; isRemoved?: boolean }

/** The changes of one value of which the document says that they are wrong, or that may be. */
function changesOf(document: Document, { schema, isRequired, isInUnion }: Site, random: Random) {
  const whole = merged(document, schema)
  const types = typesOf(document, schema)
  const isDirect = !whole.anyOf && !whole.oneOf && !isInUnion
  const changes: Change[] = []
  const add = (what: string, value: unknown, breaksSchema: boolean) =>
    changes.push({ what, value, breaksSchema: breaksSchema && !isInUnion })

  for (const [type, value] of Object.entries(samples)) {
    if (!allows(document, schema, value)) add(`${type} as value`, value, true)
  }
  if (isRequired) changes.push({ what: 'missing', isRemoved: true, breaksSchema: !isInUnion })
  if (types === undefined || !types.has('array'))
    add('nested deeply', nested(), types !== undefined)
  if (types?.has('string')) {
    const { enum: values, maxLength = Number.POSITIVE_INFINITY, format, contentEncoding } = whole
    const length = random.pick([0, 501, 5000, 70_000, 300_000])
    if (!values && !('const' in whole)) {
      add(`${length} characters`, 'x'.repeat(length), isDirect && length > maxLength)
    }
    if (isDirect && values) add('not in the list', 'nonsense', true)
    if (isDirect && format === 'uuid') add('not a UUID', `${random.uuid()}0`, true)
    if (isDirect && format === 'date-time') add('not a time', '2026-13-45T99:00:00Z', true)
    if (isDirect && contentEncoding === 'base64') add('not base64', 'YSx*CjEs', true)
  }
  if (types?.has('number')) {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = whole
    const isWhole = whole.type === 'integer'
    for (const value of [-1, 0, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308]) {
      const isOutside = value < minimum || value > maximum || (isWhole && value % 1 !== 0)
      add(`the number ${value}`, value, isDirect && isOutside)
    }
  }
  if (types?.has('array')) add('many items', Array(1000).fill(null), false)
  if (types?.has('object')) add('an unknown member', { unknown_member: 1 }, false)
  return changes
}

/** The body with one value changed. */
export function mutatedBody(document: Document, { json, sites }: Body, random: Random): Mutated {
  const site = random.pick(sites.length > 1 && random.chance(0.9) ? sites.slice(1) : sites)
  const { value, isRemoved = false, ...change } = random.pick(changesOf(document, site, random))
  const where = site.path.join('.') || 'the body'
  const isObject = typeOf(value) === 'object' && typeOf(at(json, site.path)) === 'object'
  const replacement = isObject
    ? { ...(at(json, site.path) as object), ...(value as object) }
    : value
  return {
    ...change,
    what: `${where}: ${change.what}`,
    json: replaced(json, site.path, isRemoved ? undefined : replacement),
  }
}

const at = (json: unknown, path: Site['path']): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)?.[key], json)

/** A copy with another value; undefined removes the member. */
function replaced(json: unknown, [key, ...rest]: Site['path'], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(json)) {
    return json.map((item, index) => (index === key ? replaced(item, rest, value) : item))
  }
  const copy = { ...(json as Record<string, unknown>) }
  const inner = replaced(copy[key], rest, value)
  if (inner === undefined) delete copy[key]
  else copy[key] = inner
  return copy
}
