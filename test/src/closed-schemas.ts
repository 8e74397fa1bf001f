type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The document with schemas that reject unknown members, so that a test notices a member that is not documented.
 * Clients must ignore such members, so the document itself allows them.
 */
export function withClosedSchemas<T extends { components?: { schemas?: Json } }>(document: T): T {
  const { schemas = {} } = document.components ?? {}
  return closedIn(document, '', (name) => schemas[name]) as T
}

type Component = (name: string) => unknown

/** Closes each schema of the document, but not the components, which others may extend: references are closed. */
function closedIn(value: unknown, name: string, component: Component): unknown {
  if (Array.isArray(value)) return value.map((item) => closedIn(item, '', component))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, member]) => {
    if (key === 'schema') return [key, closed(member, component)]
    return [
      key,
      name === 'schemas' ? withClosedParts(member, component) : closedIn(member, key, component),
    ]
  })
  return Object.fromEntries(entries)
}

function closed(schema: unknown, component: Component): unknown {
  const parts = withClosedParts(schema, component)
  if (!isObject(parts) || 'additionalProperties' in parts) return parts
  const isOfObject = 'properties' in parts || 'allOf' in parts || refersToMembers(parts, component)
  return isOfObject ? { ...parts, unevaluatedProperties: false } : parts
}

/** Whether the schema refers to one that lists members; others accept any JSON. */
function refersToMembers({ $ref }: Json, component: Component): boolean {
  if (typeof $ref !== 'string') return false
  const target = component($ref.split('/').at(-1) ?? '')
  if (!isObject(target) || 'additionalProperties' in target) return false
  const listsMembers = ['properties', 'allOf', 'anyOf', 'oneOf'].some((word) => word in target)
  return listsMembers || refersToMembers(target, component)
}

/** A schema whose own members are open, but not those of its parts. */
function withClosedParts(schema: unknown, component: Component): unknown {
  if (!isObject(schema)) return schema
  const close = (part: unknown) => closed(part, component)
  const entries = Object.entries(schema).map(([key, member]) => {
    if (key === 'properties' && isObject(member)) return [key, mapped(member, close)]
    if (key === 'items' || key === 'additionalProperties') return [key, close(member)]
    if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(member)) {
      return [key, member.map(close)]
    }
    if (key === 'allOf' && Array.isArray(member)) {
      return [key, member.map((part) => withClosedParts(part, component))]
    }
    return [key, member]
  })
  return Object.fromEntries(entries)
}

const mapped = (object: Json, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
