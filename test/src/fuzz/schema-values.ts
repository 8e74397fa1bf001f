import { allows } from './json-types.js'
import { isNeeded, knownValue, type Source } from './known-values.js'
import { type Document, merged, type Schema } from './operations.js'

/** A value in a body, with its schema. */
export type Site = {
  path: (string | number)[]
  schema: Schema
  isRequired: boolean
  /** Whether another schema of a union may allow another value. */
  isInUnion: boolean
}

export type Body = { json: unknown; sites: Site[] }

const depthMax = 6
const texts = [
  'x',
  'Plankton',
  'Łódź – “ü”',
  '𝒳 = 1',
  '# A title\n\n- *one*\n- two',
  'a'.repeat(200),
]

/** Makes a value that matches the schema. */
export function schemaValue(document: Document, schema: Schema, source: Source): Body {
  const { random } = source
  const sites: Site[] = []
  type Place = Omit<Site, 'schema'>

  function value(schema: Schema, place: Place): unknown {
    sites.push({ ...place, schema })
    return make(schema, place)
  }

  function make(schema: Schema, place: Place): unknown {
    const whole = merged(document, schema)
    if ('const' in whole) return whole.const
    if (whole.enum) return random.pick(whole.enum)
    const choices = whole.anyOf ?? whole.oneOf
    if (choices) {
      const others = choices.filter((choice) => merged(document, choice).type !== 'null')
      const chosen = random.chance(0.9) && others.length > 0 ? others : choices
      return make(random.pick(chosen), { ...place, isInUnion: true })
    }
    switch (typeFor(whole)) {
      case 'null':
        return null
      case 'boolean':
        return random.chance(0.5)
      case 'integer':
        return numberFor(whole)
      case 'number':
        return numberFor(whole) + random.pick([0, 0.5])
      case 'string':
        return textFor(whole, source)
      case 'array':
        return arrayFor(whole, place)
      case 'object':
        return objectFor(whole, place)
      default:
        return random.pick([{}, { a: [1, null] }, 'text', 1.5, true])
    }
  }

  function typeFor({ type, properties }: Schema): string {
    const types = [type ?? (properties ? 'object' : [])].flat()
    const others = types.filter((one) => one !== 'null')
    if (types.length === 0) return 'any'
    const isNull = others.length === 0 || (types.length > others.length && random.chance(0.1))
    return isNull ? 'null' : random.pick(others)
  }

  function numberFor({ minimum = 0, maximum = minimum + 1000 }: Schema): number {
    return minimum + random.below(Math.min(maximum - minimum, 1000) + 1)
  }

  function arrayFor({ items = {}, minItems = 0, maxItems = 3 }: Schema, place: Place) {
    const wanted = place.path.length > depthMax ? 0 : random.below(3)
    const length = Math.min(maxItems, Math.max(minItems, wanted))
    const inside = { isRequired: false, isInUnion: place.isInUnion }
    return Array.from({ length }, (_, n) => value(items, { ...inside, path: [...place.path, n] }))
  }

  function objectFor(schema: Schema, { path, isInUnion }: Place): object {
    const { properties = {}, required = [], additionalProperties } = schema
    const members: [string, unknown][] = []
    for (const [name, member] of Object.entries(properties)) {
      const isRequired = required.includes(name)
      const isLeftOut = path.length > depthMax || random.chance(0.6)
      if (isLeftOut && !isRequired && !isNeeded(source.operation, name)) continue
      const place = { path: [...path, name], isRequired, isInUnion }
      const known = knownValue(source, name)
      if (known && known.value === undefined && !isRequired) continue
      if (known?.value !== undefined && allows(document, member, known.value)) {
        sites.push({ ...place, schema: member })
        members.push([name, known.value])
      } else members.push([name, value(member, place)])
    }
    if (typeof additionalProperties === 'object' && random.chance(0.5)) {
      const place = { path: [...path, 'x'], isRequired: false, isInUnion }
      members.push(['x', value(additionalProperties, place)])
    }
    return Object.fromEntries(members)
  }

  const json = value(schema, { path: [], isRequired: true, isInUnion: false })
  return { json, sites }
}

function textFor(schema: Schema, { random, values }: Source): string {
  const { format, contentEncoding, minLength = 0, maxLength = 1000 } = schema
  if (format === 'uuid') return random.uuid()
  if (format === 'date-time') return values.soon ?? '2030-01-01T00:00:00.000Z'
  if (format === 'date') return '2026-01-31'
  if (contentEncoding === 'base64') return random.pick(['', 'YSxiCjEsMgo=', 'eCA9IDEK'])
  // By code points, so that no surrogate pair is cut.
  return [...random.pick(texts).padEnd(minLength, 'x')].slice(0, maxLength).join('')
}
