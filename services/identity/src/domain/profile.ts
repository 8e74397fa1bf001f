import { invalid } from '@figbase/kit/errors'
import { isContainer, membersOf, problemOfJson, withMembers } from '@figbase/kit/text'

const depthMax = 100

/** The stored JSON object with the members of `changes`, at most `bytesMax` long. */
export function changedProfile(stored: string, changes: string, bytesMax: number): string {
  const problem = problemOfJson(changes, depthMax)
  if (problem) throw invalid('user_profile', problem)
  if (!isContainer(changes) || changes.trimStart().startsWith('[')) {
    throw invalid('user_profile', 'must be an object')
  }
  const mentionEmails = membersOf(changes).get('mention_emails') ?? 'true'
  if (mentionEmails !== 'true' && mentionEmails !== 'false') {
    throw invalid('user_profile.mention_emails', 'must be true or false')
  }
  const profile = withMembers(stored, changes)
  if (Buffer.byteLength(profile) > bytesMax) {
    throw invalid('user_profile', `may have at most ${bytesMax} bytes with what is stored already`)
  }
  return profile
}

/** Whether the user wants mails about mentions; the default is yes. */
export const wantsMentionEmails = (profile: string): boolean =>
  membersOf(profile).get('mention_emails') !== 'false'
