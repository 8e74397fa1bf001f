import { isObject, type Json } from './json.js'

type Components = Record<string, Json>

/** The components that the paths refer to, directly or through other components. */
export function usedComponents(paths: Json, components: Components): Components {
  const used = new Set<string>()
  const pending: unknown[] = [paths]
  while (pending.length > 0) {
    for (const path of refsIn(pending.pop())) {
      if (used.has(path)) continue
      used.add(path)
      const [kind = '', name = ''] = path.split('/')
      pending.push(components[kind]?.[name])
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, ofKind]) => [kind, keptIn(kind, ofKind, used)]),
  )
}

const keptIn = (kind: string, ofKind: Json, used: Set<string>) =>
  Object.fromEntries(
    Object.entries(ofKind)
      .filter(([name]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** `schemas/Figure` for each reference to `#/components/schemas/Figure`. */
export function* refsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* refsIn(item)
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member.replace('#/components/', '')
    else yield* refsIn(member)
  }
}
