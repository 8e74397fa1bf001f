import { invalid } from '@figbase/kit/errors'

/** Parses a raw member; the scanner has checked that it is valid JSON. */
export const parseMember = (raw: string): unknown => JSON.parse(raw)

/** Undefined if the member is missing or null. `path` is the prefix of the member name in errors. */
export function optionalText(
  members: Map<string, string>,
  name: string,
  path = '',
): string | undefined {
  return optional(members, name, path, 'string', 'a string')
}

export function optionalBool(
  members: Map<string, string>,
  name: string,
  path = '',
): boolean | undefined {
  return optional(members, name, path, 'boolean', 'true or false')
}

function optional<T>(
  members: Map<string, string>,
  name: string,
  path: string,
  type: 'string' | 'boolean',
  expected: string,
) {
  const raw = members.get(name)
  if (raw === undefined) return undefined
  const value: unknown = JSON.parse(raw)
  if (value === null) return undefined
  if (typeof value !== type) throw invalid(`${path}${name}`, `must be ${expected}`)
  return value as T
}
