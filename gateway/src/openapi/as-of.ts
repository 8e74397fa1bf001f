import { isSince, isVersion, type Version } from '../versions.js'
import { isObject, type Json } from './json.js'

/** Removes the members that were added after the version, also from examples. */
export function asOf(version: Version, document: Json): Json {
  return without(document, namesAddedLater(version, document)) as Json
}

/** The names of members that are marked as added after the version. */
function namesAddedLater(version: Version, value: unknown, names = new Set<string>()) {
  if (Array.isArray(value)) for (const item of value) namesAddedLater(version, item, names)
  if (!isObject(value)) return names
  if (isObject(value.properties)) {
    for (const [name, member] of Object.entries(value.properties)) {
      if (isAddedLater(version, member)) names.add(name)
    }
  }
  for (const member of Object.values(value)) namesAddedLater(version, member, names)
  return names
}

function isAddedLater(version: Version, schema: unknown) {
  const since = isObject(schema) ? schema['x-since'] : undefined
  return typeof since === 'string' && isVersion(since) && !isSince(version, since)
}

function without(value: unknown, names: Set<string>): unknown {
  if (names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !names.has(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, names)]))
}
