import type { HandlerContext } from '@connectrpc/connect'
import type { Executor } from '@figbase/kit/db'
import { denied, notFound } from '@figbase/kit/errors'
import { requireStaff } from '@figbase/kit/rpc'
import type { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Transaction } from 'kysely'
import type { Ctx } from './context.js'
import type { Database } from './db/schema.js'
import { isUsername } from './domain/new-user.js'
import { lastAdministrator } from './errors.js'
import { type LockedUser, lockUser } from './queries/account-changes.js'
import { hasOtherAdministrator, isAdministrator } from './queries/account-states.js'
import { insertStaffAction } from './queries/staff-actions.js'
import { lockAdministrators } from './queries/users.js'

/** Records an action of the caller on the account. */
type Record = (kind: StaffActionKind) => Promise<void>

/**
 * Runs `work` on a locked account for a staff caller. Staff status is read from the table, since the access token may
 * be stale. These changes are serialized, so that at least one administrator remains.
 */
export function asAdministrator<T>(
  ctx: Ctx,
  username: string,
  call: HandlerContext,
  work: (tx: Transaction<Database>, user: LockedUser, record: Record) => Promise<T>,
): Promise<T> {
  const caller = requireStaff(call)
  return ctx.transact(async (tx) => {
    await lockAdministrators(tx)
    if (!(await isAdministrator(tx, caller))) throw denied('STAFF')
    const user = isUsername(username) ? await lockUser(tx, username) : undefined
    if (!user) throw notFound('this user')
    return work(tx, user, (kind) => insertStaffAction(tx, { by: caller, kind, target: username }))
  })
}

/** For read-only calls. Staff status is read from the table, as above. */
export async function requireAdministrator(db: Executor, call: HandlerContext): Promise<void> {
  const caller = requireStaff(call)
  if (!(await isAdministrator(db, caller))) throw denied('STAFF')
}

/** Throws `last_administrator` when the user is the only active administrator. */
export async function requireOtherAdministrator(tx: Executor, user: LockedUser): Promise<void> {
  const { username, is_staff, is_active } = user
  if (is_staff && is_active && !(await hasOtherAdministrator(tx, username))) {
    throw lastAdministrator()
  }
}
