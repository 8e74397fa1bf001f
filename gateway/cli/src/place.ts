import { findOrCreate } from '@figbase/client'
import type { Connection } from './connection.js'
import { isIdOrUrl, resolveKind, toNames } from './reference.js'

const levels = ['workspace', 'analysis', 'figure'] as const
export type Level = (typeof levels)[number]

/** Where something is published: what exists, or names, of which what is missing is created. */
export type Place =
  | { level: Level; names: string[] }
  | { level: Level; names?: undefined; api_id: string }

export async function placeOf(connection: Connection, to: string): Promise<Place> {
  if (isIdOrUrl(to)) {
    const { kind, api_id } = await resolveKind(connection, to, levels)
    return { level: kind, api_id }
  }
  const names = toNames(to, connection.workspace)
  return { level: levels[names.length - 1] ?? 'figure', names }
}

/** The ids of the workspace and, below it, the analysis. What is missing is created. */
export async function containersOf(
  { figbase }: Connection,
  place: Place,
): Promise<{ workspace: string; analysis?: string }> {
  if (place.names) {
    const [workspace = '', analysis] = place.names
    const { api_id } = await findOrCreate(figbase, [workspace])
    if (analysis === undefined) return { workspace: api_id }
    const below = await findOrCreate(figbase, [workspace, analysis])
    return { workspace: api_id, analysis: below.api_id }
  }
  if (place.level === 'workspace') return { workspace: place.api_id }
  const analysis =
    place.level === 'analysis'
      ? place.api_id
      : (await figbase.get('/figure/{id}/', { path: { id: place.api_id } })).analysis
  const { workspace } = await figbase.get('/analysis/{id}/', { path: { id: analysis } })
  return { workspace, analysis }
}
