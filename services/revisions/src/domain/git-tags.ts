import { membersOf, withMembers } from '@figbase/kit/text'

/**
 * The metadata of an imported revision with these tags, too. Undefined if it has them already, or if somebody has replaced
 * what the import wrote there.
 */
export function withTags(metadata: string, tags: string[]): string | undefined {
  const own = membersOf(metadata).get('git')
  const git: unknown = own === undefined ? undefined : JSON.parse(own)
  if (!isTagged(git)) return undefined
  const added = tags.filter((tag) => !git.tags.includes(tag))
  if (added.length === 0) return undefined
  return withMembers(metadata, JSON.stringify({ git: { ...git, tags: [...git.tags, ...added] } }))
}

const isTagged = (git: unknown): git is { tags: unknown[] } =>
  typeof git === 'object' && git !== null && 'tags' in git && Array.isArray(git.tags)
