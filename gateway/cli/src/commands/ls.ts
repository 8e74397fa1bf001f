import { type Figbase, list } from '@figbase/client'
import { type CommonOptions, type Connection, connect } from '../connection.js'
import { usageError } from '../failure.js'
import { printTable, show } from '../output.js'
import { type Reference, resolveKind } from '../reference.js'
import { toTime } from '../text.js'

type Item = {
  kind: string
  api_id: string
  name: string | null
  created_on: string
  created_by: string | null
  size_bytes: number
}

const listed = ['workspace', 'analysis', 'figure', 'revision', 'asset', 'asset_revision'] as const

type Options = CommonOptions & { stale?: boolean }

/** Lists what is in an object; without one, or with `/`, the workspaces. With `--stale`, the stale figures in it. */
export async function ls(text: string | undefined, options: Options): Promise<void> {
  const connection = await connect(options)
  const { figbase, workspace } = connection
  const place = text === undefined && workspace !== undefined ? `/${workspace}` : text
  const items = options.stale
    ? await staleIn(connection, place)
    : place === undefined || place === '/'
      ? await workspaces(figbase)
      : await childrenOf(figbase, await resolveKind(connection, place, listed))
  show(options.json, items, () =>
    printTable(
      items.map(({ kind, name, created_on, api_id }) => [kind, toTime(created_on), api_id, name]),
    ),
  )
}

async function staleIn(connection: Connection, place: string | undefined): Promise<Item[]> {
  if (place === undefined) throw usageError('--stale needs a workspace')
  const { api_id: id } = await resolveKind(connection, place, ['workspace'])
  const found: Item[] = []
  const init = { path: { id }, query: { fields }, pageSize: 1000 }
  for await (const one of list(connection.figbase, '/workspace/{id}/stale/', init)) {
    found.push(item('figure', one))
  }
  return found
}

const fields = 'api_id,name,created_on,created_by,size_bytes'

async function workspaces(figbase: Figbase): Promise<Item[]> {
  const found: Item[] = []
  const query = { fields }
  for await (const one of list(figbase, '/workspace/', { query, pageSize: 1000 })) {
    found.push(item('workspace', one))
  }
  return found
}

async function childrenOf(figbase: Figbase, { kind, api_id: id }: Reference): Promise<Item[]> {
  const path = { id }
  if (kind === 'workspace') {
    const query = { fields: 'analyses,assets,stories' }
    const { analyses, assets, stories } = await figbase.get('/workspace/{id}/', { path, query })
    return [
      ...analyses.map((one) => item('analysis', one)),
      ...assets.map((one) => item('asset', one)),
      ...stories.map((one) => item('story', one)),
    ]
  }
  if (kind === 'analysis') {
    const query = { fields: 'figures' }
    const { figures } = await figbase.get('/analysis/{id}/', { path, query })
    return figures.map((one) => item('figure', one))
  }
  if (kind === 'figure') {
    const query = { fields: 'revisions' }
    const { revisions } = await figbase.get('/figure/{id}/', { path, query })
    return revisions.map((one) => item('revision', { ...one, name: numberOf(one) }))
  }
  if (kind === 'asset') {
    const query = { fields: 'revisions' }
    const { revisions } = await figbase.get('/asset/{id}/', { path, query })
    return revisions.map((one) => item('asset_revision', { ...one, name: numberOf(one) }))
  }
  const route = kind === 'revision' ? '/revision/{id}/' : '/asset_revision/{id}/'
  const { data } = await figbase.get(route, { path, query: { fields: 'data' } })
  return data.map((one) => item(one.type, one))
}

/** Revisions have numbers in place of names. They count from 1. */
const numberOf = ({ revision_index }: { revision_index: number }) => `#${revision_index + 1}`

const item = (
  kind: string,
  { api_id, name, created_on, created_by, size_bytes }: Omit<Item, 'kind'>,
) => ({
  kind,
  api_id,
  name: name ?? null,
  created_on,
  created_by,
  size_bytes,
})
