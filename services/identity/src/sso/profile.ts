import { isAddress } from '@figbase/kit'
import { hasMoreCharacters, isUsername, usernameProblem } from '../domain/new-user.js'

/** What a provider tells of somebody, as far as it can be used here. */
export type Profile = {
  /** Empty: unknown. */
  email: string
  /** Whether the provider has seen that the address is theirs. */
  isVerified: boolean
  firstName: string
  lastName: string
  /** A username that can be had, unless somebody has it. */
  wish: string
}

const nameCharsMax = 150
const wishCharsMax = 100

export function profileOf(claims: Record<string, unknown>): Profile {
  const email = textOf(claims.email).normalize('NFC')
  const isUsable = isAddress(email)
  return {
    email: isUsable ? email : '',
    isVerified: isUsable && claims.email_verified === true,
    firstName: nameOf(claims.given_name) || (claims.family_name ? '' : nameOf(claims.name)),
    lastName: nameOf(claims.family_name),
    wish: wishOf(claims),
  }
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : '')

function nameOf(claim: unknown) {
  const name = textOf(claim).replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
  return hasMoreCharacters(name, nameCharsMax) ? '' : name
}

/** Usernames are seen by all: of an address, what stands before the @ is enough. */
function wishOf({ preferred_username, nickname, email, given_name }: Record<string, unknown>) {
  for (const claim of [preferred_username, nickname, email, given_name]) {
    const [text = ''] = textOf(claim).split('@')
    const wish = text
      .slice(0, 4 * wishCharsMax)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9_.+-]+/g, '-')
      .replaceAll(/^[-.]+|-+$/g, '')
      .slice(0, wishCharsMax)
    if (isUsername(wish) && !usernameProblem(wish)) return wish
  }
  return 'user'
}
