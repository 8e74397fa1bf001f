import { isUuid } from '@figbase/kit/ids'
import type { Filter, FoundType } from '../port.js'

const types: readonly string[] = [
  'workspace',
  'analysis',
  'figure',
  'figure_revision',
  'asset',
  'asset_revision',
  'story',
] satisfies FoundType[]

const isToken = /^[0-9a-f]+$/

/**
 * The expression of a filter; undefined: it allows nothing. Contains nothing but UUIDs, hexadecimal tokens and names of
 * types, so that no value can end a list. It has at most five operations however many ids there are, and one for each
 * token; Typesense allows 100.
 */
export function filterBy(filter: Filter): string | undefined {
  const roots = listOf(filter.roots)
  const recent = listOf(filter.recent)
  const places = [
    ...(roots ? [`(below:=${roots} && hidden:=false)`] : []),
    ...(recent ? [`below:=${recent}`] : []),
  ]
  if (places.length === 0) return undefined
  const { metadata = [], types: wanted = types } = filter
  if (!metadata.every((token) => isToken.test(token))) return undefined
  const known = types.filter((type) => wanted.includes(type as FoundType))
  if (known.length === 0) return undefined
  const conditions = [
    ...(filter.types ? [`type:=[${known.join(',')}]`] : []),
    ...metadata.map((token) => `tokens:=${token}`),
    `(${places.join(' || ')})`,
  ]
  return conditions.join(' && ')
}

/** Undefined: there is no UUID among them. */
export function listOf(ids: string[]): string | undefined {
  const valid = new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))
  return valid.size > 0 ? `[${[...valid].join(',')}]` : undefined
}
