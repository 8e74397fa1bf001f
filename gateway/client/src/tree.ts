import type { Figbase } from './figbase.js'
import { list } from './list.js'

/**
 * Where something is: the names of a workspace, an analysis and a figure, as `Climate/Temperatures/Monthly means`. An
 * array of names is for those that contain a slash.
 */
export type TreePath = string | string[]

export type TreeNode = { kind: 'workspace' | 'analysis' | 'figure'; api_id: string; name: string }

type Options = { signal?: AbortSignal | undefined }

/** The object at a path; undefined if there is none. Of several with the same name, the oldest. */
export async function find(
  figbase: Figbase,
  path: TreePath,
  options: Options = {},
): Promise<TreeNode | undefined> {
  let parent: TreeNode | undefined
  for (const name of namesOf(path)) {
    parent = await child(figbase, parent, name, options)
    if (!parent) return undefined
  }
  return parent
}

/** The object at a path. What is missing is created. */
export async function findOrCreate(
  figbase: Figbase,
  path: TreePath,
  options: Options = {},
): Promise<TreeNode & { isNew: boolean }> {
  let parent: TreeNode | undefined
  let isNew = false
  for (const name of namesOf(path)) {
    const found: TreeNode | undefined = isNew
      ? undefined
      : await child(figbase, parent, name, options)
    isNew ||= !found
    parent = found ?? (await create(figbase, parent, name, options))
  }
  return { ...(parent as TreeNode), isNew }
}

/** Throws a TypeError unless there are one to three names. */
export function namesOf(path: TreePath): string[] {
  const names = typeof path === 'string' ? path.split('/') : path
  if (names.length > 3 || names.some((name) => name.trim() === '')) {
    throw new TypeError(`path must be workspace/analysis/figure, or the beginning of that: ${path}`)
  }
  return names
}

async function child(
  figbase: Figbase,
  parent: TreeNode | undefined,
  name: string,
  { signal }: Options,
): Promise<TreeNode | undefined> {
  for await (const { api_id, ...one } of childrenOf(figbase, parent, signal)) {
    if (one.name === name) return { kind: kindBelow(parent), api_id, name }
  }
  return undefined
}

type Named = { api_id: string; name: string }

async function* childrenOf(
  figbase: Figbase,
  parent: TreeNode | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Named, void> {
  if (!parent) {
    const query = { fields: 'api_id,name' }
    for await (const one of list(figbase, '/workspace/', { query, pageSize: 1000, signal })) {
      yield one as Named
    }
    return
  }
  const path = { id: parent.api_id }
  if (parent.kind === 'workspace') {
    const query = { fields: 'analyses' }
    yield* (await figbase.get('/workspace/{id}/', { path, query, signal })).analyses as Named[]
  } else if (parent.kind === 'analysis') {
    const query = { fields: 'figures' }
    yield* (await figbase.get('/analysis/{id}/', { path, query, signal })).figures as Named[]
  }
}

const kindBelow = (parent: TreeNode | undefined): TreeNode['kind'] => {
  if (!parent) return 'workspace'
  return parent.kind === 'workspace' ? 'analysis' : 'figure'
}

async function create(
  figbase: Figbase,
  parent: TreeNode | undefined,
  name: string,
  { signal }: Options,
): Promise<TreeNode> {
  const kind = kindBelow(parent)
  const { api_id } = await post(figbase, kind, name, parent?.api_id ?? '', signal)
  return { kind, api_id, name }
}

function post(
  figbase: Figbase,
  kind: TreeNode['kind'],
  name: string,
  parent: string,
  signal: AbortSignal | undefined,
): Promise<Named> {
  if (kind === 'workspace') return figbase.post('/workspace/', { body: { name }, signal })
  if (kind === 'analysis') {
    return figbase.post('/analysis/', { body: { name, workspace: parent }, signal })
  }
  return figbase.post('/figure/', { body: { name, analysis: parent }, signal })
}
