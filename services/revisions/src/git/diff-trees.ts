import { recordsOf } from './records.js'
import { outputOf, type Workspace } from './run-git.js'

/** Two trees that are compared. */
export type TreePair = readonly [before: string, after: string]

/** Yields for each pair, in order, the paths that were added or changed. */
export async function* diffTrees(
  workspace: Workspace,
  pairs: TreePair[],
): AsyncGenerator<string[]> {
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff']
  const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('')
  let changed: string[] | undefined
  let isPath = false
  for await (const record of recordsOf(outputOf(workspace, args, { input }))) {
    const text = record.toString()
    if (isPath) {
      changed?.push(text)
      isPath = false
      continue
    }
    // A line for each pair that begins, and then the first change of the last one.
    const lines = text.split('\n')
    isPath = lines.pop() !== ''
    for (const _ of lines) {
      if (changed) yield changed
      changed = []
    }
  }
  if (changed) yield changed
}
