import { isEmailAddress } from '@figbase/kit/mail'
import { hasMoreCharacters, isUsername, usernameProblem } from '../domain/new-user.js'

/** The usable claims of a provider about a user. */
export type Profile = {
  /** Empty when unknown. */
  email: string
  /** Whether the provider has verified the address. */
  isVerified: boolean
  firstName: string
  lastName: string
  /** A valid username, which may be taken. */
  preferredUsername: string
}

const nameCharsMax = 150
const preferredUsernameCharsMax = 100

export function profileOf(claims: Record<string, unknown>): Profile {
  const email = textOf(claims.email).normalize('NFC')
  const isUsable = isEmailAddress(email)
  return {
    email: isUsable ? email : '',
    isVerified: isUsable && claims.email_verified === true,
    firstName: nameOf(claims.given_name) || (claims.family_name ? '' : nameOf(claims.name)),
    lastName: nameOf(claims.family_name),
    preferredUsername: preferredUsernameOf(claims),
  }
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : '')

function nameOf(claim: unknown) {
  const name = textOf(claim).replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
  return hasMoreCharacters(name, nameCharsMax) ? '' : name
}

/** Uses only the part of an address before the @, since usernames are public. */
function preferredUsernameOf({
  preferred_username,
  nickname,
  email,
  given_name,
}: Record<string, unknown>) {
  for (const claim of [preferred_username, nickname, email, given_name]) {
    const [text = ''] = textOf(claim).split('@')
    const preferredUsername = text
      .slice(0, 4 * preferredUsernameCharsMax)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9_.+-]+/g, '-')
      .replaceAll(/^[-.]+|-+$/g, '')
      .slice(0, preferredUsernameCharsMax)
    if (isUsername(preferredUsername) && !usernameProblem(preferredUsername))
      return preferredUsername
  }
  return 'user'
}
