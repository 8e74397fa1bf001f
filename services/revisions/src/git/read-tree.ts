import { isUtf8 } from 'node:buffer'
import { GitError } from './git-error.js'
import { recordsOf } from './records.js'
import { outputOf, type Workspace } from './run-git.js'

export type TreeEntry = {
  path: string
  /** Octal. */
  mode: string
  id: string
  hasUtf8Path: boolean
}

/** All entries of a commit that are not folders. */
export async function readTree(workspace: Workspace, commit: string): Promise<TreeEntry[]> {
  const { filesMax } = workspace.limits
  const entries: TreeEntry[] = []
  const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]
  for await (const record of recordsOf(outputOf(workspace, args))) {
    const tab = record.indexOf('\t')
    const [mode = '', , id = ''] = record.subarray(0, tab).toString().split(' ')
    const path = record.subarray(tab + 1)
    entries.push({ path: path.toString(), mode, id, hasUtf8Path: isUtf8(path) })
    if (entries.length > filesMax) {
      throw new GitError('too_many_files', `the repository has more than ${filesMax} files`)
    }
  }
  return entries
}
