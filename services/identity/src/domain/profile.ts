import { invalid, isContainer, problemOfJson, withMembers } from '@figbase/kit'

const depthMax = 100

/** The stored JSON object with the members of a newer one, at most so many bytes long. */
export function changedProfile(stored: string, changes: string, bytesMax: number): string {
  const problem = problemOfJson(changes, depthMax)
  if (problem) throw invalid('user_profile', problem)
  if (!isContainer(changes) || changes.trimStart().startsWith('[')) {
    throw invalid('user_profile', 'must be an object')
  }
  const profile = withMembers(stored, changes)
  if (Buffer.byteLength(profile) > bytesMax) {
    throw invalid('user_profile', `may have at most ${bytesMax} bytes with what is stored already`)
  }
  return profile
}
