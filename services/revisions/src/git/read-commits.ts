import { recordsOf } from './records.js'
import type { Commit } from './repository.js'
import { outputOf, type Workspace } from './run-git.js'

export type CommitNode = { commit: Commit; parents: string[]; tree: string }

const fields = ['%H', '%P', '%T', '%at', '%an', '%s']
const textCharsMax = 1000

/** The newest commits that lead to this one, each before its parents. */
export async function readCommits(
  workspace: Workspace,
  tip: string,
  max = workspace.limits.commitsMax,
): Promise<CommitNode[]> {
  const args = [
    ...['log', '-z', '--topo-order', `--max-count=${max}`],
    ...[`--format=${fields.join('%x00')}`, '--end-of-options', tip, '--'],
  ]
  const nodes: CommitNode[] = []
  let record: string[] = []
  for await (const field of recordsOf(outputOf(workspace, args))) {
    record.push(field.toString())
    if (record.length < fields.length) continue
    nodes.push(toNode(record))
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

const cleaned = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, textCharsMax)
    .replace(/\p{Cs}$/u, '')
