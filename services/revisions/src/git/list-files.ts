import { buffer } from 'node:stream/consumers'
import { foldedPath, isLfsPointer, lfsPointerBytesMax, pathProblem } from '../domain/git-paths.js'
import { type Blobs, readSizes } from './blobs.js'
import type { TreeEntry } from './read-tree.js'
import type { RefusedPath, RepositoryFile } from './repository.js'
import type { Workspace } from './run-git.js'

const symbolicLink = '120000'
const submodule = '160000'

/** Which entries can be imported, and why the others cannot. */
export async function listFiles(
  workspace: Workspace,
  blobs: Blobs,
  entries: TreeEntry[],
): Promise<{ files: RepositoryFile[]; refused: RefusedPath[] }> {
  const { limits } = workspace
  const files: RepositoryFile[] = []
  const refused: RefusedPath[] = []
  const regular = entries.filter((entry) => !problemOf(entry))
  const sizes = await readSizes(workspace, [...new Set(regular.map(({ id }) => id))])
  const pathByFolded = new Map<string, string>()

  /** What only its content or the others tell. */
  async function laterProblem({ path, id }: TreeEntry, sizeBytes: number) {
    if (sizeBytes > limits.fileBytesMax) {
      return `is larger than ${limits.fileBytesMax} bytes`
    }
    if (sizeBytes < lfsPointerBytesMax && isLfsPointer(await buffer(blobs.content(id)))) {
      return 'is stored with Git LFS'
    }
    const same = pathByFolded.get(foldedPath(path))
    if (same === undefined) return undefined
    return `differs from ${same} only in case or in the form of its characters`
  }

  function problemOf({ mode, path, hasUtf8Path }: TreeEntry) {
    if (!hasUtf8Path) return 'has a path that is not UTF-8'
    if (mode === symbolicLink) return 'is a symbolic link'
    if (mode === submodule) return 'is a submodule'
    return pathProblem(path, limits)
  }

  for (const entry of sorted(entries)) {
    const sizeBytes = sizes.get(entry.id) ?? 0
    const { path, id: blobId } = entry
    const reason = problemOf(entry) ?? (await laterProblem(entry, sizeBytes))
    if (reason !== undefined) {
      refused.push({ path, reason })
      continue
    }
    pathByFolded.set(foldedPath(path), path)
    files.push({ path, blobId, sizeBytes })
  }
  return { files, refused }
}

const sorted = (entries: TreeEntry[]) =>
  entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
