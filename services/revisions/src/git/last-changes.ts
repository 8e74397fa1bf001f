import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diffTrees, type TreePair } from './diff-trees.js'
import { GitError } from './git-error.js'
import type { CommitNode } from './read-commits.js'
import type { Commit } from './repository.js'
import type { Workspace } from './run-git.js'

/**
 * The newest commit that changed each path, as `git log -1 -- path` finds it: from the tip on, each path moves to the
 * first parent in which its content is the same. Where there is none, that commit changed it.
 */
export async function lastChanges(
  workspace: Workspace,
  nodes: CommitNode[],
  paths: string[],
): Promise<Map<string, Commit>> {
  const found = new Map<string, Commit>()
  const [tip] = nodes
  if (!tip) return found
  const cut = await readShallow(workspace)
  const treeById = new Map(nodes.map(({ commit, tree }) => [commit.id, tree]))
  const knownParents = ({ parents }: CommitNode) => parents.filter((id) => treeById.has(id))
  const waitingAt = new Map([[tip.commit.id, new Set(paths)]])
  let waitingCount = paths.length

  function move(paths: Set<string>, commitId: string) {
    const others = waitingAt.get(commitId)
    const [more, less] = (others?.size ?? 0) > paths.size ? [others, paths] : [paths, others]
    for (const path of less ?? []) more?.add(path)
    waitingAt.set(commitId, more ?? paths)
  }

  const pairs = nodes.flatMap((node) =>
    knownParents(node).map((id): TreePair => [treeById.get(id) ?? '', node.tree]),
  )
  const diffs = diffTrees(workspace, pairs)
  try {
    for (const node of nodes) {
      if (waitingCount === 0) break
      const { commit, parents } = node
      let waiting = waitingAt.get(commit.id) ?? new Set<string>()
      waitingAt.delete(commit.id)
      const known = knownParents(node)
      for (const parent of known) {
        const changed = new Set((await nextOf(diffs)).filter((path) => waiting.delete(path)))
        move(waiting, parent)
        waiting = changed
      }
      waitingCount -= waiting.size
      // An older commit that is unknown may have the same content.
      if (cut.has(commit.id) || known.length < parents.length) continue
      for (const path of waiting) found.set(path, commit)
    }
  } finally {
    await diffs.return(undefined)
  }
  return found
}

async function nextOf(diffs: AsyncGenerator<string[]>) {
  const { done, value } = await diffs.next()
  if (done) throw new GitError('corrupt', 'the history of the repository cannot be read')
  return value
}

/** Commits whose parents were not fetched. */
export async function readShallow({ repository }: Workspace): Promise<Set<string>> {
  const text = await readFile(join(repository, 'shallow'), 'utf8').catch(() => '')
  return new Set(text.split('\n').filter(Boolean))
}
