import type { HandlerContext } from '@connectrpc/connect'
import { denied, type Executor, notFound, requireStaff } from '@figbase/kit'
import type { Transaction } from 'kysely'
import type { Ctx } from './context.js'
import type { Database } from './db/schema.js'
import { isUsername } from './domain/new-user.js'
import { lastAdministrator } from './errors.js'
import { type HeldUser, lockUser } from './queries/account-changes.js'
import { hasOtherAdministrator, isAdministrator } from './queries/account-states.js'
import { lockAdministrators } from './queries/users.js'

/**
 * Runs `work` on an account for staff. Access tokens say who was staff when they were issued: the table
 * says who is. Changes of this kind wait for each other, so that one administrator is left.
 */
export function administering<T>(
  ctx: Ctx,
  username: string,
  call: HandlerContext,
  work: (tx: Transaction<Database>, user: HeldUser) => Promise<T>,
): Promise<T> {
  const caller = requireStaff(call)
  return ctx.transact(async (tx) => {
    await lockAdministrators(tx)
    if (!(await isAdministrator(tx, caller))) throw denied('STAFF')
    const user = isUsername(username) ? await lockUser(tx, username) : undefined
    if (!user) throw notFound('this user')
    return work(tx, user)
  })
}

/** For what is only read. As above: the token is not believed. */
export async function requireAdministrator(db: Executor, call: HandlerContext): Promise<void> {
  const caller = requireStaff(call)
  if (!(await isAdministrator(db, caller))) throw denied('STAFF')
}

/** Throws when nobody else would administer the installation. */
export async function requireOtherAdministrator(tx: Executor, user: HeldUser): Promise<void> {
  const { username, is_staff, is_active } = user
  if (is_staff && is_active && !(await hasOtherAdministrator(tx, username))) {
    throw lastAdministrator()
  }
}
