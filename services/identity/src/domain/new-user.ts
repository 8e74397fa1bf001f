import { checkedAll, invalid, isAddress } from '@figbase/kit'
import { passwordProblem } from './password.js'

const usernamePattern = /^[A-Za-z0-9_.@+-]{1,150}$/
const reserved = new Set(['ai', 'system', 'anonymous', 'me'])
const nameLengthMax = 150
const emailLengthMax = 254
const unprintable = /[\p{Cc}\p{Cs}]/u

export type NewUserFields = {
  username: string
  email: string
  password: string
  firstName: string
  lastName: string
}

/** Throws `invalid` with the fields, as the API names them, that cannot be accepted. */
export function checkNewUser(user: NewUserFields): void {
  const { username, email, password, firstName, lastName } = user
  checkedAll({
    username: () => refuse('username', usernameProblem(username)),
    email: () => refuse('email', emailProblem(email)),
    firstName: () => refuse('first_name', nameProblem(firstName)),
    lastName: () => refuse('last_name', nameProblem(lastName)),
    password: () => refuse('password', passwordProblem(password, username, email)),
  })
}

/** Whether a user can have this name; no other text needs to be looked up. */
export const isUsername = (text: string): boolean => usernamePattern.test(text)

/** Without counting the characters of megabytes. */
export const hasMoreCharacters = (text: string, max: number): boolean =>
  text.length > 2 * max || [...text].length > max

export function usernameProblem(username: string) {
  if (!username) return 'is required'
  if (!isUsername(username)) return 'must be 1 to 150 letters (a-z), digits, and any of _ . - @ +'
  // A path segment of dots is resolved away by clients and proxies.
  if (/^\.+$/.test(username)) return 'may not consist of dots'
  if (reserved.has(username.toLowerCase())) return 'is reserved'
  return undefined
}

export function emailProblem(email: string) {
  if (!email) return 'is required'
  if (email.length > emailLengthMax) return `may have at most ${emailLengthMax} characters`
  if (!isAddress(email)) return 'is not an e-mail address'
  return undefined
}

export function nameProblem(name: string) {
  if (hasMoreCharacters(name, nameLengthMax)) return `may have at most ${nameLengthMax} characters`
  if (unprintable.test(name)) return 'may not contain control characters'
  return undefined
}

export function refuse(field: string, problem: string | undefined) {
  if (problem) throw invalid(field, problem)
}
