import type { Figbase, Schemas } from '@figbase/client'
import { exitCode } from './exit-codes.js'
import { CommandError } from './failure.js'

/** The user of the API key. */
export async function userOf(figbase: Figbase): Promise<Schemas['User']> {
  const [user] = await figbase.get('/user/')
  if (user) return user
  throw new CommandError(exitCode.notAllowed, 'not_signed_in', 'The server does not know this key')
}
