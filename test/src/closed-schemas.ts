type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The document with schemas that reject unknown members, so that a test notices a member that is not documented.
 * Clients must ignore such members, so the document itself allows them.
 */
export function withClosedSchemas<T>(document: T): T {
  return closedIn(document) as T
}

/** Closes each schema of the document, but not the components, which others may extend: references are closed. */
function closedIn(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => closedIn(item))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, member]) => {
    if (key === 'schema') return [key, closed(member)]
    return [key, name === 'schemas' ? withClosedParts(member) : closedIn(member, key)]
  })
  return Object.fromEntries(entries)
}

function closed(schema: unknown): unknown {
  const parts = withClosedParts(schema)
  if (!isObject(parts) || 'additionalProperties' in parts) return parts
  const isOfObject = '$ref' in parts || 'properties' in parts || 'allOf' in parts
  return isOfObject ? { ...parts, unevaluatedProperties: false } : parts
}

/** A schema whose own members are open, but not those of its parts. */
function withClosedParts(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, member]) => {
    if (key === 'properties' && isObject(member)) return [key, mapped(member, closed)]
    if (key === 'items' || key === 'additionalProperties') return [key, closed(member)]
    if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(member)) {
      return [key, member.map(closed)]
    }
    if (key === 'allOf' && Array.isArray(member)) return [key, member.map(withClosedParts)]
    return [key, member]
  })
  return Object.fromEntries(entries)
}

const mapped = (object: Json, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
