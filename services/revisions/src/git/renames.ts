import { GitError } from './git-error.js'
import { readTree } from './read-tree.js'
import { recordsOf } from './records.js'
import { outputOf, runGit, type Workspace } from './run-git.js'

const idPattern = /^[\da-f]{40}$/
/** Git compares at most the square of this number of files. */
const comparedMax = 1000

/** New path by old path of the files of a commit that were renamed after it, along the first parents of the tip. */
export async function renamesSince(
  workspace: Workspace,
  commitId: string,
  tip: string,
): Promise<Map<string, string>> {
  if (!idPattern.test(commitId) || !(await isCommit(workspace, commitId))) return new Map()
  const renames = await readRenames(workspace, commitId, tip)
  const before = new Set((await readTree(workspace, commitId)).map(({ path }) => path))
  const now = new Set((await readTree(workspace, tip)).map(({ path }) => path))
  const oldByNew = new Map<string, string>()
  /** New files at paths of the commit that became free. */
  const reused = new Set<string>()
  for (const [from, to] of renames) {
    const old = oldByNew.get(from) ?? (reused.has(from) ? undefined : from)
    oldByNew.delete(from)
    reused.add(from)
    if (old !== undefined && before.has(old)) oldByNew.set(to, old)
  }
  return new Map(
    [...oldByNew]
      .filter(([path, old]) => path !== old && now.has(path))
      .map(([path, old]) => [old, path]),
  )
}

async function isCommit(workspace: Workspace, id: string) {
  const args = ['cat-file', '-e', `${id}^{commit}`]
  return runGit(workspace, args).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError && error.reason !== 'timed_out') return false
      throw error
    },
  )
}

/** Oldest first. Those that were changed, too, are left out if comparing contents takes too much memory. */
async function readRenames(workspace: Workspace, commitId: string, tip: string) {
  try {
    return await readRenamesBy(workspace, '50%', commitId, tip)
  } catch (error) {
    workspace.signal.throwIfAborted()
    if (!(error instanceof GitError && error.reason === 'too_large')) throw error
    return readRenamesBy(workspace, '100%', commitId, tip)
  }
}

async function readRenamesBy(
  workspace: Workspace,
  similarity: string,
  commitId: string,
  tip: string,
) {
  const args = [
    ...['log', '-z', '--reverse', '--first-parent', '--diff-merges=first-parent', '--format='],
    ...['--name-status', '--diff-filter=R', `--find-renames=${similarity}`, `-l${comparedMax}`],
    ...['--no-ext-diff', '--no-textconv', '--end-of-options', `${commitId}..${tip}`, '--'],
  ]
  const renames: [from: string, to: string][] = []
  let record: string[] = []
  for await (const field of recordsOf(outputOf(workspace, args))) {
    const text = field.toString()
    if (record.length === 0 && !/^R\d/.test(text)) continue
    record.push(text)
    if (record.length < 3) continue
    renames.push([record[1] ?? '', record[2] ?? ''])
    record = []
  }
  return renames
}
