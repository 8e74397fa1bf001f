import { ConnectError } from '@connectrpc/connect'
import { type Database, notFound, type OpenData, openData } from '@figbase/kit'
import { createAccount, toNewUser } from './create-account.js'
import { migrations } from './db/migrations/index.js'
import type { Database as Tables } from './db/schema.js'
import { checkNewUser, emailProblem, refuse, usernameProblem } from './domain/new-user.js'
import { hashPassword, passwordProblem } from './domain/password.js'
import { lockUser, updateUser } from './queries/account-changes.js'
import { updateActive, updateStaff } from './queries/account-states.js'
import { endMailTokens } from './queries/mail-tokens.js'
import { findUser, isUsernameTaken, lockAdministrators } from './queries/users.js'

export type AdministratorOptions = {
  /** As the service has it. */
  env: Record<string, string | undefined>
  database: Database
  username: string
  /** Of a new account, and only of that. */
  email?: string | undefined
  /** Whether an account that is there gets the password, too. */
  changesPassword: boolean
  /** Asked for when it is needed. */
  readPassword(): Promise<string>
}

/** The account cannot be as it is asked for; the message names the field. */
export class AccountRefused extends Error {
  override name = 'AccountRefused'
}

/**
 * For a command, whether or not the service runs: makes an account with all rights, or gives them to one that is
 * there. Answers whether it made one. Throws SchemaBehind, or AccountRefused for what a sign-up is refused for.
 */
export async function makeAdministrator(options: AdministratorOptions): Promise<boolean> {
  try {
    return await make(options)
  } catch (error) {
    if (error instanceof ConnectError) throw new AccountRefused(error.rawMessage, { cause: error })
    throw error
  }
}

/** What can be refused before there is a database; throws AccountRefused. */
export function checkAdministrator({
  username,
  email,
  password,
}: {
  username: string
  email?: string | undefined
  password?: string | undefined
}): void {
  const [field, problem] =
    [
      ['username', usernameProblem(username)],
      ['email', email === undefined ? undefined : emailProblem(email)],
      ['password', password === undefined ? undefined : passwordProblem(password, username)],
    ].find(([, problem]) => problem !== undefined) ?? []
  if (problem) throw new AccountRefused(`${field}: ${problem}`)
}

async function make(options: AdministratorOptions): Promise<boolean> {
  const { env, database, username, email } = options
  await using data = await openData<Tables>('identity', migrations, database, env)
  const isKnown = (await findUser(data.db, username)) !== undefined
  if (isKnown && email !== undefined) {
    refuse('email', 'is for a new account, and there is one of this name: leave it out')
  }
  if (isKnown) await change(data, options)
  else await create(data, options)
  return !isKnown
}

type Data = OpenData<Tables>

async function create(data: Data, { username, email, readPassword }: AdministratorOptions) {
  if (await isUsernameTaken(data.db, username)) {
    refuse(
      'username',
      'is taken: by a deleted account, or one that differs in upper and lower case',
    )
  }
  if (email === undefined) {
    throw new AccountRefused(`there is no account ${username}: --email makes a new one`)
  }
  const fields = { username, email, firstName: '', lastName: '' }
  // What is wrong with the rest is said before a password is asked for.
  checkNewUser({ ...fields, password: 'to be read' })
  const password = await readPassword()
  checkNewUser({ ...fields, password })
  const user = { ...toNewUser(fields, await hashPassword(password)), is_staff: true }
  await data.transact((tx) => createAccount(data, tx, user))
}

async function change(data: Data, options: AdministratorOptions) {
  const { username, changesPassword, readPassword } = options
  let passwordHash: string | undefined
  if (changesPassword) {
    const password = await readPassword()
    refuse('password', passwordProblem(password, username))
    passwordHash = await hashPassword(password)
  }
  await data.transact(async (tx) => {
    await lockAdministrators(tx)
    const user = await lockUser(tx, username)
    if (!user) throw notFound('this user')
    if (!user.is_active) await updateActive(tx, username, true)
    if (!user.is_staff) await updateStaff(tx, username, true)
    if (passwordHash === undefined) return
    await updateUser(tx, username, { passwordHash })
    await endMailTokens(tx, username, ['reset_password'])
  })
}
