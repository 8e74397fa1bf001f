import type { Transaction } from 'kysely'
import type { Ctx } from './context.js'
import type { Database, NewUser, UserRow } from './db/schema.js'
import type { NewUserFields } from './domain/new-user.js'
import { newProfile } from './domain/profile.js'
import { ensurePrimaryWorkspace } from './jobs/ensure-primary-workspace.js'
import { insertUser } from './queries/users.js'

/** Inserts a user and enqueues the job that creates their primary workspace, unless it exists by then. */
export async function createAccount(
  ctx: Pick<Ctx, 'enqueue'>,
  tx: Transaction<Database>,
  user: NewUser,
): Promise<UserRow> {
  const row = await insertUser(tx, user)
  const { username } = row
  await ctx.enqueue(tx, ensurePrimaryWorkspace, { username }, { key: username })
  return row
}

export const toNewUser = (
  fields: Omit<NewUserFields, 'password'>,
  passwordHash: string | null,
  mailLanguage = '',
): NewUser => ({
  username: fields.username,
  email: fields.email,
  first_name: fields.firstName,
  last_name: fields.lastName,
  password_hash: passwordHash,
  profile: newProfile(mailLanguage),
})
