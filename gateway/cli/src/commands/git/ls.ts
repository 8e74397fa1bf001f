import { type Figbase, list, type Schemas } from '@figbase/client'
import { type CommonOptions, connect } from '../../connection.js'
import { printTable, show } from '../../output.js'
import { resolveKind } from '../../reference.js'
import { toTime } from '../../text.js'

type Repository = Schemas['GitRepository']

/** Lists the Git repositories that are imported into a workspace or an analysis. */
export async function listRepositories(text: string, options: CommonOptions): Promise<void> {
  const connection = await connect(options)
  const { kind, api_id } = await resolveKind(connection, text, ['workspace', 'analysis'])
  const repositories = await repositoriesOf(connection.figbase, kind, api_id)
  show(options.json, repositories, () => printTable(repositories.map(toRow)))
}

async function repositoriesOf(figbase: Figbase, kind: 'workspace' | 'analysis', id: string) {
  const found: Repository[] = []
  const path = `/${kind}/{id}/git_repository/` as const
  for await (const one of list(figbase, path, { path: { id }, pageSize: 1000 })) found.push(one)
  return found
}

function toRow({ url, branch, last_import, next_import_on, api_id }: Repository) {
  return [
    url,
    branch,
    last_import?.status ?? 'not imported yet',
    toTime(last_import?.created_on ?? null),
    next_import_on === null ? '' : `next ${toTime(next_import_on)}`,
    api_id,
  ]
}
