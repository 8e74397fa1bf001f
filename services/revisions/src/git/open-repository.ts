import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTemporaryDirectory } from '@figbase/kit/files'
import { branchProblem } from '../domain/git-branch.js'
import { type GitUrl, parseGitUrl } from '../domain/git-url.js'
import { openBlobs } from './blobs.js'
import { type Fetched, fetchRemote, tip } from './fetch.js'
import type { Git } from './git.js'
import { GitError } from './git-error.js'
import { lastChanges, readShallow } from './last-changes.js'
import { listFiles } from './list-files.js'
import { type CommitNode, readCommits } from './read-commits.js'
import { readTree } from './read-tree.js'
import { renamesSince } from './renames.js'
import type { Remote, Repository } from './repository.js'
import type { Workspace } from './run-git.js'
import { requireLimits } from './watch-folder.js'

/** The purpose of its temporary folders. */
export const temporaryPurpose = 'git'

/**
 * Fetches a repository into a temporary folder. Throws a GitError, or what the signal says, and then leaves nothing.
 * The signal also ends what is read later.
 */
export async function openRepository(
  git: Git,
  remote: Remote,
  signal: AbortSignal,
): Promise<Repository> {
  const programs = await git.programs()
  if (!programs) throw new GitError('unavailable', 'Git is not installed on this server')
  const url = requireUrl(remote)
  if (url.protocol === 'ssh' && !programs.ssh) {
    throw new GitError('unavailable', 'ssh is not installed on this server')
  }
  const ends = new AbortController()
  const directory = await createTemporaryDirectory(temporaryPurpose)
  const workspace: Workspace = {
    programs,
    limits: git.settings.limits,
    folder: directory.path,
    repository: join(directory.path, 'repository'),
    config: '/dev/null',
    signal: AbortSignal.any([signal, ends.signal]),
  }
  const removeAll = async () => {
    ends.abort()
    await directory[Symbol.asyncDispose]()
  }
  try {
    const fetched = await fetchRemote(git, workspace, url, remote)
    await requireLimits(workspace)
    const nodes = await readCommits(workspace, tip)
    return await repositoryOf(workspace, fetched, nodes, removeAll)
  } catch (error) {
    await removeAll()
    throw error
  }
}

function requireUrl({ url: text, branch }: Remote): GitUrl {
  const url = parseGitUrl(text)
  if ('problem' in url) throw new GitError('refused_url', `the URL ${url.problem}`)
  const problem = branchProblem(branch)
  if (problem) throw new GitError('refused_url', `the branch ${problem}`)
  return url
}

async function repositoryOf(
  workspace: Workspace,
  { tags, hostKeys, hostKeyFingerprints }: Fetched,
  nodes: CommitNode[],
  removeAll: () => Promise<void>,
): Promise<Repository> {
  const [head] = nodes
  if (!head) throw new GitError('corrupt', 'the branch has no commit')
  const blobs = openBlobs(workspace)
  const entries = await readTree(workspace, tip)
  const cut = await readShallow(workspace)
  const known = new Set(nodes.map(({ commit }) => commit.id))
  return {
    head: head.commit,
    hostKeys,
    hostKeyFingerprints,
    isHistoryComplete:
      cut.size === 0 && nodes.every(({ parents }) => parents.every((id) => known.has(id))),
    listFiles: () => listFiles(workspace, blobs, entries),
    read: async (blobId) => Readable.from(blobs.content(blobId), { objectMode: false }),
    lastChanges: () =>
      lastChanges(
        workspace,
        nodes,
        entries.map(({ path }) => path),
      ),
    renamesSince: (commitId) => renamesSince(workspace, commitId, tip),
    tags: async () => tags,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await removeAll()
    },
  }
}
