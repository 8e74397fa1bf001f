import { hash, verify } from '@node-rs/argon2'
import { isGuessable } from './guessable.js'

/** OWASP's recommendation for argon2id (the library's default variant). Stored hashes carry theirs. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const lengthMin = 8
const bytesMax = 1024

/** Why a password is refused, if it is. `email`: of its owner, where that is known. */
export function passwordProblem(
  password: string,
  username: string,
  email = '',
): string | undefined {
  const problem = passwordFormProblem(password, username)
  if (problem) return problem
  if (isGuessable(normal(password), [username, email])) {
    return 'is too common or too easy to guess: choose another one, for example some words that have nothing to do with each other'
  }
  return undefined
}

/** The same without a look at how easy it is to guess: for a setting that is often not needed any more. */
export function passwordFormProblem(password: string, username: string): string | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'may not contain control characters'
  if (isTooLong(password)) return `may have at most ${bytesMax} bytes`
  if ([...password].length < lengthMin) return `must have at least ${lengthMin} characters`
  if (password.toLowerCase() === username.toLowerCase()) return 'may not be the username'
  return undefined
}

/** Runs on the thread pool, not on the event loop. Call it through the gate. */
export function hashPassword(password: string): Promise<string> {
  return hash(normal(password), cost)
}

/** Without a stored hash it takes as long, and answers false. */
export async function isPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  if (isTooLong(password)) return false
  const matches = await verify(stored || hashOfNobody, normal(password))
  return matches && Boolean(stored)
}

/** Keyboards differ in how they compose a letter. */
const normal = (password: string) => password.normalize('NFKC')

/** Measured before normalizing and after: NFKC can lengthen a text eighteenfold. */
const isTooLong = (password: string) =>
  Buffer.byteLength(password) > bytesMax || Buffer.byteLength(normal(password)) > bytesMax

/** The hash of no password, that costs as much to check as any. */
export const hashOfNobody = [
  '',
  'argon2id',
  'v=19',
  `m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`,
  'A'.repeat(22),
  'A'.repeat(43),
].join('$')
