import { GitError } from './git-error.js'
import { recordsOf } from './records.js'
import type { Commit } from './repository.js'
import { outputOf, type Workspace } from './run-git.js'

export type CommitNode = { commit: Commit; parents: string[]; tree: string }

const columnsMax = 1000
const fields = ['%H', '%P', '%T', '%at', `%<(${columnsMax},trunc)%an`, `%<(${columnsMax},trunc)%s`]
/** For each commit, on average. */
const parentsMax = 10

/** The newest commits that lead to this one, each before its parents. */
export async function readCommits(workspace: Workspace, tip: string): Promise<CommitNode[]> {
  const { commitsMax } = workspace.limits
  const args = [
    ...['log', '-z', '--topo-order', `--max-count=${commitsMax}`],
    ...[`--format=${fields.join('%x00')}`, '--end-of-options', tip, '--'],
  ]
  const nodes: CommitNode[] = []
  let record: string[] = []
  let parentCount = 0
  for await (const field of recordsOf(outputOf(workspace, args))) {
    record.push(field.toString())
    if (record.length < fields.length) continue
    const node = toNode(record)
    parentCount += node.parents.length
    if (parentCount > parentsMax * commitsMax) {
      throw new GitError('too_large', 'the history of the repository has too many merges')
    }
    nodes.push(node)
    record = []
  }
  return nodes
}

function toNode([id = '', parents = '', tree = '', seconds, author = '', subject = '']: string[]) {
  const date = new Date(Number(seconds) * 1000)
  const commit = {
    id,
    author: cleaned(author),
    // Commits can have any number.
    date: Number.isNaN(date.getTime()) ? new Date(0) : date,
    subject: cleaned(subject),
  }
  return { commit, parents: parents.split(' ').filter(Boolean), tree }
}

const cleaned = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trimEnd()
