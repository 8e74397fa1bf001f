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

/**
 * The expression of a filter; undefined: it allows nothing. Contains nothing but UUIDs and names of types, so that no
 * value can end a list. It has at most five operations however many ids there are; Typesense allows 100.
 */
export function filterBy(filter: Filter): string | undefined {
  const roots = listOf(filter.roots)
  const recent = listOf(filter.recent)
  const places = [
    ...(roots ? [`(below:=${roots} && hidden:=false)`] : []),
    ...(recent ? [`below:=${recent}`] : []),
  ]
  if (places.length === 0) return undefined
  const place = `(${places.join(' || ')})`
  if (!filter.types) return place
  const wanted = filter.types.filter((type) => types.includes(type))
  return wanted.length > 0 ? `type:=[${wanted.join(',')}] && ${place}` : undefined
}

/** Undefined: there is no UUID among them. */
export function listOf(ids: string[]): string | undefined {
  const valid = new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))
  return valid.size > 0 ? `[${[...valid].join(',')}]` : undefined
}
