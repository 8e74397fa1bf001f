import { hash, verify } from '@node-rs/argon2'
import { isGuessable } from './guessable.js'

/** OWASP's recommendation for argon2id (the library's default variant). Stored hashes contain their own parameters. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const lengthMin = 8
const bytesMax = 1024

/** Why a password is rejected; undefined when it is accepted. `email` is that of its owner, if known. */
export function passwordProblem(
  password: string,
  username: string,
  email = '',
): string | undefined {
  const problem = passwordFormProblem(password, username)
  if (problem) return problem
  if (isGuessable(normalize(password), [username, email])) {
    return 'is too common or too easy to guess: choose another one, for example some words that have nothing to do with each other'
  }
  return undefined
}

/** Like passwordProblem, but without the estimate: for a setting that is often no longer used. */
export function passwordFormProblem(password: string, username: string): string | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'may not contain control characters'
  if (isTooLong(password)) return `may have at most ${bytesMax} bytes`
  if ([...password].length < lengthMin) return `must have at least ${lengthMin} characters`
  if (password.toLowerCase() === username.toLowerCase()) return 'may not be the username'
  return undefined
}

/** Runs on the thread pool, not on the event loop. Call it through the concurrency limit. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), cost)
}

/** Returns false without a stored hash, after the same time. */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  if (isTooLong(password)) return false
  const matches = await verify(stored || dummyHash, normalize(password))
  return matches && Boolean(stored)
}

/** Keyboards differ in how they compose letters. */
const normalize = (password: string) => password.normalize('NFKC')

/** Checked before and after normalizing: NFKC can lengthen a text eighteenfold. */
const isTooLong = (password: string) =>
  Buffer.byteLength(password) > bytesMax || Buffer.byteLength(normalize(password)) > bytesMax

/** A hash that matches no password, and takes as long to verify as a real one. */
export const dummyHash = [
  '',
  'argon2id',
  'v=19',
  `m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`,
  'A'.repeat(22),
  'A'.repeat(43),
].join('$')
