import { invalid } from '@figbase/kit/errors'
import { isLanguageTag } from '@figbase/kit/messages'
import { isContainer, membersOf, problemOfJson, withMembers } from '@figbase/kit/text'

const depthMax = 100

/** The stored JSON object with the members of `changes`, at most `bytesMax` long. */
export function changedProfile(stored: string, changes: string, bytesMax: number): string {
  const problem = problemOfJson(changes, depthMax)
  if (problem) throw invalid('user_profile', problem)
  if (!isContainer(changes) || changes.trimStart().startsWith('[')) {
    throw invalid('user_profile', 'must be an object')
  }
  const members = membersOf(changes)
  const mentionEmails = members.get('mention_emails') ?? 'true'
  if (mentionEmails !== 'true' && mentionEmails !== 'false') {
    throw invalid('user_profile.mention_emails', 'must be true or false')
  }
  const language = JSON.parse(members.get('mail_language') ?? 'null')
  if (language !== null) checkMailLanguage('user_profile.mail_language', language)
  const profile = withMembers(stored, changes)
  if (Buffer.byteLength(profile) > bytesMax) {
    throw invalid('user_profile', `may have at most ${bytesMax} bytes with what is stored already`)
  }
  return profile
}

/** Whether the user wants mails about mentions; the default is yes. */
export const wantsMentionEmails = (profile: string): boolean =>
  membersOf(profile).get('mention_emails') !== 'false'

/** The profile of a new account; `language` may be empty. */
export function newProfile(language: string): string {
  if (!language) return '{}'
  checkMailLanguage('mail_language', language)
  return JSON.stringify({ mail_language: language })
}

function checkMailLanguage(field: string, language: unknown): void {
  if (typeof language !== 'string' || !isLanguageTag(language)) {
    throw invalid(field, 'must be a language tag, such as "de" or "de-CH"')
  }
}

/** The language tag of mails to the user; empty when it is not known. */
export function mailLanguageOf(profile: string): string {
  const language: unknown = JSON.parse(membersOf(profile).get('mail_language') ?? 'null')
  return typeof language === 'string' && isLanguageTag(language) ? language : ''
}
