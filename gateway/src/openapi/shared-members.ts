import { isObject, type Json } from './json.js'

/** How many bytes of the document a component must save. */
const savedBytesMin = 50

/**
 * Describes a member that many schemas have once: in a component with its name, to which they refer. If members with
 * this name differ, it is the one for which this saves most.
 */
export function withSharedMembers(document: Json): Json {
  const { schemas = {}, ...components } = document.components as Record<string, Json>
  const uses = new Map<string, Use>()
  for (const [name, schema] of membersIn(document)) {
    const key = `${name} ${JSON.stringify(schema)}`
    const use = uses.get(key) ?? { name, schema, count: 0 }
    uses.set(key, { ...use, count: use.count + 1 })
  }
  const shared = chosen([...uses.values()].filter(({ name }) => !(name in schemas)))
  const own = [...shared].map(([name, schema]) => [name, referring(schema, shared)])
  const others = referring(schemas, shared) as Json
  const all = Object.entries({ ...others, ...Object.fromEntries(own) })
  return {
    ...document,
    paths: referring(document.paths, shared),
    components: {
      ...(referring(components, shared) as Json),
      schemas: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

type Use = { name: string; schema: Json; count: number }

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function savedBytes({ name, schema, count }: Use): number {
  const size = JSON.stringify(schema).length
  return count * (size - JSON.stringify(refTo(name)).length) - size - name.length
}

/** The schemas of the components, by their name. */
function chosen(uses: Use[]): Map<string, Json> {
  const good = uses.filter((use) => savedBytes(use) >= savedBytesMin)
  good.sort((one, other) => savedBytes(one) - savedBytes(other))
  return new Map(good.map(({ name, schema }) => [name, schema]))
}

/** The members of all schemas in a value. */
function* membersIn(value: unknown): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const item of value) yield* membersIn(item)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (key === 'example') continue
    if (key !== 'properties' || !isObject(member)) {
      yield* membersIn(member)
      continue
    }
    for (const [name, schema] of Object.entries(member)) {
      yield [name, schema as Json]
      yield* membersIn(schema)
    }
  }
}

/** The value, in which members refer to their components. */
function referring(value: unknown, shared: Map<string, Json>): unknown {
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit)
    if (!isObject(one)) return one
    const entries = Object.entries(one).map(([key, member]): [string, unknown] => {
      if (key === 'example') return [key, member]
      return [key, key === 'properties' && isObject(member) ? members(member) : visit(member)]
    })
    return Object.fromEntries(entries)
  }
  const members = (properties: Json) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const component = shared.get(name)
        const isShared = component && JSON.stringify(component) === JSON.stringify(schema)
        return [name, isShared ? refTo(name) : visit(schema)]
      }),
    )
  return visit(value)
}
