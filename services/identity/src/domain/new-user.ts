import { invalid, validateAll } from '@figbase/kit/errors'
import { isEmailAddress } from '@figbase/kit/mail'
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

/** Throws `invalid` with all rejected fields, by their names in the API. */
export function checkNewUser(user: NewUserFields): void {
  const { username, email, password, firstName, lastName } = user
  validateAll({
    username: () => requireValid('username', usernameProblem(username)),
    email: () => requireValid('email', emailProblem(email)),
    firstName: () => requireValid('first_name', nameProblem(firstName)),
    lastName: () => requireValid('last_name', nameProblem(lastName)),
    password: () => requireValid('password', passwordProblem(password, username, email)),
  })
}

/** Whether the text is a well-formed username. */
export const isUsername = (text: string): boolean => usernamePattern.test(text)

/** Avoids counting the characters of very long texts. */
export const hasMoreCharacters = (text: string, max: number): boolean =>
  text.length > 2 * max || [...text].length > max

export function usernameProblem(username: string) {
  if (!username) return 'is required'
  if (!isUsername(username)) return 'must be 1 to 150 letters (a-z), digits, and any of _ . - @ +'
  // Clients and proxies normalize path segments of dots.
  if (/^\.+$/.test(username)) return 'may not consist of dots'
  if (reserved.has(username.toLowerCase())) return 'is reserved'
  return undefined
}

export function emailProblem(email: string) {
  if (!email) return 'is required'
  if (email.length > emailLengthMax) return `may have at most ${emailLengthMax} characters`
  if (!isEmailAddress(email)) return 'is not an e-mail address'
  return undefined
}

export function nameProblem(name: string) {
  if (hasMoreCharacters(name, nameLengthMax)) return `may have at most ${nameLengthMax} characters`
  if (unprintable.test(name)) return 'may not contain control characters'
  return undefined
}

export function requireValid(field: string, problem: string | undefined) {
  if (problem) throw invalid(field, problem)
}
