import { type Figbase, list, type Schemas } from '@figbase/client'
import { notFound } from '../failure.js'

export type GitImport = Schemas['GitImport']

/** The newest imports of a repository, newest first. */
export async function newestImports(
  figbase: Figbase,
  repository: string,
  limit: number,
): Promise<GitImport[]> {
  const found: GitImport[] = []
  for await (const one of importsOf(figbase, repository, limit)) {
    found.push(one)
    if (found.length === limit) break
  }
  return found
}

/** An import as it is now. It is one of the newest. */
export async function readImport(
  figbase: Figbase,
  { repository, api_id }: Pick<GitImport, 'repository' | 'api_id'>,
): Promise<GitImport> {
  for await (const one of importsOf(figbase, repository, 10)) if (one.api_id === api_id) return one
  throw notFound('The server no longer lists the import')
}

const importsOf = (figbase: Figbase, repository: string, pageSize: number) =>
  list(figbase, '/git_repository/{api_id}/import/', { path: { api_id: repository }, pageSize })
