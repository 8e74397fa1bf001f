import { ConnectError } from '@connectrpc/connect'
import type { Database } from '@figbase/kit/db'
import { notFound } from '@figbase/kit/errors'
import { type OpenData, openData } from '@figbase/kit/service'
import { createAccount, toNewUser } from './create-account.js'
import { migrations } from './db/migrations/index.js'
import type { Database as Tables } from './db/schema.js'
import { checkNewUser, emailProblem, requireValid, usernameProblem } from './domain/new-user.js'
import { hashPassword, passwordProblem } from './domain/password.js'
import { lockUser, updateUser } from './queries/account-changes.js'
import { updateActive, updateStaff } from './queries/account-states.js'
import { endMailTokens } from './queries/mail-tokens.js'
import { findUser, isUsernameTaken, lockAdministrators } from './queries/users.js'

export type AdministratorOptions = {
  /** The environment of the service. */
  env: Record<string, string | undefined>
  database: Database
  username: string
  /** Required for a new account; not allowed for an existing one. */
  email?: string | undefined
  /** Whether an existing account gets the password. */
  changesPassword: boolean
  /** Called only when the password is needed. */
  readPassword(): Promise<string>
}

/** The account cannot be created or changed as requested; the message names the field. */
export class AccountRefused extends Error {
  override name = 'AccountRefused'
}

/**
 * Creates an administrator, or makes an existing account an active administrator; works whether or not the service
 * runs. Returns true when an account was created. Throws SchemaOutdated, or AccountRefused for invalid fields.
 */
export async function upsertAdministrator(options: AdministratorOptions): Promise<boolean> {
  try {
    return await upsert(options)
  } catch (error) {
    if (error instanceof ConnectError) throw new AccountRefused(error.rawMessage, { cause: error })
    throw error
  }
}

/** Validates what needs no database; throws AccountRefused. */
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

async function upsert(options: AdministratorOptions): Promise<boolean> {
  const { env, database, username, email } = options
  await using data = await openData<Tables>('identity', migrations, database, env)
  const exists = (await findUser(data.db, username)) !== undefined
  if (exists && email !== undefined) {
    requireValid('email', 'applies to new accounts only, and this account already exists: omit it')
  }
  if (exists) await change(data, options)
  else await create(data, options)
  return !exists
}

type Data = OpenData<Tables>

async function create(data: Data, { username, email, readPassword }: AdministratorOptions) {
  if (await isUsernameTaken(data.db, username)) {
    requireValid('username', 'is taken by a deleted account, or by one that differs only in case')
  }
  if (email === undefined) {
    throw new AccountRefused(`account ${username} not found: pass --email to create it`)
  }
  const fields = { username, email, firstName: '', lastName: '' }
  // Validate the other fields before the password prompt.
  checkNewUser({ ...fields, password: 'placeholder text' })
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
    requireValid('password', passwordProblem(password, username))
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
