import { z } from 'zod'
import { isObject, type Json } from './json.js'

/** Converts zod schemas. Schemas with an id become components, to which others refer. */
export type Schemas = {
  components: Json
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json
}

/** `descriptions`: of members, by their name, or by `<component>.<name>`. */
export function createSchemas(descriptions: Record<string, string>): Schemas {
  const components: Json = {}
  const describe = (schema: Json, component: string) =>
    described(schema, (name) => descriptions[`${component}.${name}`] ?? descriptions[name])
  return {
    components,
    schemaOf(schema, io) {
      const {
        $schema: _,
        $defs = {},
        ...own
      } = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
      }) as Json
      for (const [id, definition] of Object.entries($defs as Record<string, Json>)) {
        const component = describe(simplified(definition) as Json, id)
        if (components[id] && JSON.stringify(components[id]) !== JSON.stringify(component)) {
          throw new Error(`the component ${id} has two meanings`)
        }
        components[id] = component
      }
      return describe(simplified(own) as Json, '')
    },
  }
}

/** Refers to components, and leaves out what says nothing. */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified)
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/')
  if (!isObject(value)) return value
  const entries = Object.entries(value)
    .filter(([name, member]) => !isDefault(name, member))
    .map(([name, member]): [string, unknown] => [name, simplified(member)])
  return nullable(Object.fromEntries(entries))
}

const isDefault = (name: string, member: unknown) =>
  member === Number.MAX_SAFE_INTEGER ||
  member === Number.MIN_SAFE_INTEGER ||
  (name === 'propertyNames' && JSON.stringify(member) === '{"type":"string"}')

/** `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` as `{ type: ['string', 'null'] }`. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [{ type, ...more }, other] = anyOf as [Json, Json]
  const isPlain = typeof type === 'string' && !('enum' in more) && !('const' in more)
  return isPlain && other.type === 'null' ? { ...rest, ...more, type: [type, 'null'] } : schema
}

/** Adds the descriptions of members that have none of their own. */
function described(schema: Json, descriptionOf: (name: string) => string | undefined): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      name === 'properties' && isObject(member) ? members(member) : visit(member),
    ])
    return Object.fromEntries(entries)
  }
  const members = (properties: Json) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        const description = descriptionOf(name)
        const visited = visit(member) as Json
        return [name, description ? { description, ...visited } : visited]
      }),
    )
  return visit(schema) as Json
}
