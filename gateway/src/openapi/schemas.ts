import { z } from 'zod'
import { isObject, type Json } from './json.js'

const schemaPath = '#/components/schemas/'

/** Converts zod schemas. Schemas with an id become components, to which others refer. */
export type Schemas = {
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json
  /** Those of all schemas that were converted. */
  components(): Json
}

/** `descriptions`: of members, by their name, or by `<component>.<name>`, also with the component that is extended. */
export function createSchemas(descriptions: Record<string, string>): Schemas {
  const components: Record<string, Json> = {}
  const describe = (schema: Json, component: string) =>
    described(
      schema,
      (name) =>
        descriptions[`${component}.${name}`] ??
        descriptions[`${schema.base}.${name}`] ??
        descriptions[name],
    )
  return {
    components: () =>
      Object.fromEntries(
        Object.entries(components).map(([id, schema]) => [id, extending(schema, components)]),
      ),
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

/** Refers to components, and leaves out what says nothing to a client. */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified)
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, schemaPath)
  if (!isObject(value)) return value
  const hasPattern = !hasKnownFormat(value)
  const entries = Object.entries(value)
    .filter(([name, member]) => !isDefault(name, member) && !isIgnored(member))
    .filter(([name]) => name !== 'pattern' || hasPattern)
    .map(([name, member]): [string, unknown] => [name, simplified(member)])
  return nullable(Object.fromEntries(entries))
}

/** Whether every program knows the format, so that the pattern adds nothing. */
const hasKnownFormat = ({ format }: Json) =>
  typeof format === 'string' && ['uuid', 'date', 'date-time', 'base64'].includes(format)

/** Clients must ignore unknown members, so objects are not closed. */
const isDefault = (name: string, member: unknown) =>
  member === Number.MAX_SAFE_INTEGER ||
  member === Number.MIN_SAFE_INTEGER ||
  (name === 'additionalProperties' && member === false) ||
  (name === 'format' && member === 'base64') ||
  (name === 'propertyNames' && JSON.stringify(member) === '{"type":"string"}')

/** Members of bodies that are accepted, but have no effect. */
const isIgnored = (member: unknown) => isObject(member) && member.ignored === true

/** `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` as `{ type: ['string', 'null'] }`. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [{ type, ...more }, other] = anyOf as [Json, Json]
  const isPlain = typeof type === 'string' && !('enum' in more) && !('const' in more)
  return isPlain && other.type === 'null' ? { ...rest, ...more, type: [type, 'null'] } : schema
}

/**
 * A schema with a `base` refers to that component, and has only the other members itself; all of them if the version
 * has no such component.
 */
function extending({ base, ...schema }: Json, components: Record<string, Json>): Json {
  if (typeof base !== 'string' || !components[base]) return schema
  const inherited = components[base].properties as Json
  const own = Object.entries(schema.properties as Json).filter(
    ([name, member]) => JSON.stringify(inherited[name]) !== JSON.stringify(member),
  )
  const properties = Object.fromEntries(own)
  const known = new Set(components[base].required as string[] | undefined)
  const required = ((schema.required as string[] | undefined) ?? []).filter(
    (name) => !known.has(name),
  )
  return {
    description: schema.description,
    allOf: [
      { $ref: schemaPath + base },
      {
        type: 'object',
        ...(own.length > 0 && { properties }),
        ...(required.length > 0 && { required }),
      },
    ],
  }
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
