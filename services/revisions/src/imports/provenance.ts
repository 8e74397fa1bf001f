import type { GitRepositoryRow, GitSlotRow } from '../db/schema.js'
import { importSourceOf } from '../domain/git-objects.js'
import type { Step } from '../domain/git-plan.js'
import type { Commit } from '../git/repository.js'

/** Where the files of an import come from. */
export type Provenance = {
  importId: string
  row: GitRepositoryRow
  head: Commit
  changes: Map<string, Commit>
  tags: Map<string, string[]>
}

/**
 * Where the files of a step come from: the commit that changed one of them last. Older commits than the fetched ones are
 * unknown.
 */
export function describe(
  { wanted }: Step<GitSlotRow>,
  { row, head, changes, tags }: Provenance,
): { importSource: string; metadata: { tags: string[] } } {
  const own = wanted.content.files.filter(({ role }) => role !== 'shared_code')
  const path = own[0]?.path ?? wanted.path
  const known = own
    .flatMap((file) => changes.get(file.path) ?? [])
    .reduce<Commit | undefined>((a, b) => (a && a.date >= b.date ? a : b), undefined)
  const commit = known ?? head
  const names = new Set([...(tags.get(commit.id) ?? []), ...(tags.get(head.id) ?? [])])
  const metadata = {
    repository: row.url,
    branch: row.branch,
    commit: commit.id,
    path,
    author: known?.author ?? null,
    date: known?.date.toISOString() ?? null,
    message: known?.subject ?? null,
    tags: [...names],
  }
  return { importSource: importSourceOf(row.url, commit.id, path), metadata }
}
