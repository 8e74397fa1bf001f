import { branchProblem } from '../domain/git-branch.js'
import type { GitUrl } from '../domain/git-url.js'
import { GitError } from './git-error.js'
import { recordsOf } from './records.js'
import { outputOf, type Workspace } from './run-git.js'

/** Names of tags by the id of the commit. */
export type Tags = Map<string, string[]>

const newLine = 10
const prefix = 'refs/tags/'
/** Marks the commit to which the tag object of the line before points. */
const peeled = '^{}'

/** Reads the tags of the server. Their objects are not fetched. */
export async function readTags(workspace: Workspace, { address }: GitUrl): Promise<Tags> {
  const { tagsMax } = workspace.limits
  const targets = new Map<string, string>()
  const args = ['ls-remote', '--quiet', '--tags', '--end-of-options', address]
  const output = outputOf(workspace, args, { canFetch: true })
  for await (const line of recordsOf(output, newLine)) {
    const [id = '', ref = ''] = line.toString().split('\t')
    if (!ref.startsWith(prefix)) continue
    const name = ref.slice(prefix.length).replace(peeled, '')
    // Tags follow the same rules.
    if (branchProblem(name)) continue
    targets.set(name, id)
    if (targets.size > tagsMax) {
      throw new GitError('too_many_tags', `the repository has more than ${tagsMax} tags`)
    }
  }
  const tags: Tags = new Map()
  for (const [name, id] of targets) {
    const names = tags.get(id) ?? []
    names.push(name)
    tags.set(id, names)
  }
  return tags
}
