import { isObject, type Json } from './json.js'
import { refsIn } from './used-components.js'

/** Schemas are not among them, because their names are for clients. */
const kinds = ['parameters', 'responses']

/** Puts each component to which there is only one reference in the place of this reference. */
export function withoutUsedOnce(document: Json): Json {
  const components = document.components as Record<string, Json>
  const uses = new Map<string, number>()
  for (const path of refsIn(document)) uses.set(path, (uses.get(path) ?? 0) + 1)
  const moved = new Map<string, unknown>()
  const kept = kinds.map((kind) => {
    const entries = Object.entries(components[kind] ?? {}).filter(([name, component]) => {
      const isUsedOnce = uses.get(`${kind}/${name}`) === 1
      if (isUsedOnce) moved.set(`#/components/${kind}/${name}`, component)
      return !isUsedOnce
    })
    return [kind, Object.fromEntries(entries)]
  })
  return {
    ...document,
    paths: replaced(document.paths, moved),
    components: { ...components, ...Object.fromEntries(kept) },
  }
}

function replaced(value: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, components))
  if (!isObject(value)) return value
  if (typeof value.$ref === 'string' && components.has(value.$ref)) {
    return components.get(value.$ref)
  }
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, member]) => [name, replaced(member, components)]))
}
