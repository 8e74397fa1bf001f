import { isUtf8 } from 'node:buffer'
import { GitError } from './git-error.js'
import { recordsOf } from './records.js'
import { outputOf, type Workspace } from './run-git.js'

export type TreeEntry = {
  /** A longer path than the limit allows is cut, and is then still longer. */
  path: string
  /** Octal. */
  mode: string
  id: string
  hasUtf8Path: boolean
}

/** All entries of a commit that are not folders. */
export async function readTree(workspace: Workspace, commit: string): Promise<TreeEntry[]> {
  const { filesMax, pathBytesMax } = workspace.limits
  const entries: TreeEntry[] = []
  const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]
  for await (const record of recordsOf(outputOf(workspace, args))) {
    const tab = record.indexOf('\t')
    const [mode = '', , id = ''] = record.subarray(0, tab).toString().split(' ')
    const path = record.subarray(tab + 1)
    entries.push({ path: cut(path, pathBytesMax), mode, id, hasUtf8Path: isUtf8(path) })
    if (entries.length > filesMax) {
      throw new GitError('too_many_files', `the repository has more than ${filesMax} files`)
    }
  }
  return entries
}

/** Long paths of many files would not fit into the memory. */
const cut = (path: Buffer, bytesMax: number) =>
  path.length <= bytesMax ? path.toString() : `${path.subarray(0, bytesMax)}…`
