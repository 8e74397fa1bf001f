import type { Figbase } from '@figbase/client'
import type { Connection } from './connection.js'
import { notFound } from './failure.js'
import { resolveKind } from './reference.js'

export type RevisionReference = { kind: 'revision' | 'asset_revision'; api_id: string }

/** A revision; of a figure or an asset, the newest one. */
export async function revisionOf(connection: Connection, text: string): Promise<RevisionReference> {
  const wanted = ['revision', 'figure', 'asset_revision', 'asset'] as const
  const { kind, api_id } = await resolveKind(connection, text, wanted)
  if (kind === 'revision' || kind === 'asset_revision') return { kind, api_id }
  const newest = await newestOf(connection.figbase, kind, api_id)
  if (newest === undefined) throw notFound(`${text} has no revisions`)
  return { kind: kind === 'figure' ? 'revision' : 'asset_revision', api_id: newest }
}

async function newestOf(figbase: Figbase, kind: 'figure' | 'asset', id: string) {
  const request = { path: { id }, query: { fields: 'revisions' } }
  const { revisions } =
    kind === 'figure'
      ? await figbase.get('/figure/{id}/', request)
      : await figbase.get('/asset/{id}/', request)
  return revisions.at(-1)?.api_id
}

type DataObject = {
  api_id: string
  name: string | null
  type: string
  hash: string
  size_bytes: number
  metadata: Record<string, unknown> | null
}

/** The data objects of a revision, without their bytes. */
export async function dataOf(
  figbase: Figbase,
  { kind, api_id }: RevisionReference,
): Promise<DataObject[]> {
  const request = { path: { id: api_id }, query: { fields: 'data' } }
  const { data } =
    kind === 'revision'
      ? await figbase.get('/revision/{id}/', request)
      : await figbase.get('/asset_revision/{id}/', request)
  return data as DataObject[]
}

export type { DataObject }
