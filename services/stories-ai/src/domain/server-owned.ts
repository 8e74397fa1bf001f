import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@figbase/kit/errors'
import { membersOf, withMembers } from '@figbase/kit/text'
import type { Slide } from './content.js'

/** Members of the data of figure slides that describe the figure: only the server writes them. */
const ownedMembers = ['methods', 'data', 'availability']

/**
 * The data of a figure slide with the server's members of the slide that it replaces. Throws if it has others.
 * `field` is the member of the request.
 */
export function withOwnedMembers(
  data: string,
  replaced: Slide | undefined,
  revisionId: string,
  field: string,
): string {
  const isSame = replaced?.type === 'figure' && replaced.revisionId === revisionId
  const stored = isSame ? ownedOf(replaced.data) : new Map<string, string>()
  for (const [name, value] of ownedOf(data)) {
    const before = stored.get(name)
    const isUnchanged =
      before !== undefined && isDeepStrictEqual(JSON.parse(value), JSON.parse(before))
    if (!isUnchanged) throw invalid(`${field}.${name}`, 'is set by the server')
  }
  return stored.size > 0 ? withMembers(data, jsonOf(stored)) : data
}

/** The data of a figure slide for a reader who may not view the revision. */
export function withoutOwnedMembers(data: string): string {
  const members = membersOf(data)
  const count = members.size
  for (const name of ownedMembers) members.delete(name)
  return members.size < count ? jsonOf(members) : data
}

function ownedOf(data: string): Map<string, string> {
  const members = membersOf(data)
  return new Map([...members].filter(([name]) => ownedMembers.includes(name)))
}

const jsonOf = (members: Map<string, string>) =>
  `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
