import { denied, notFound } from '@figbase/kit/errors'
import { actAsSystem, principal, requireSignIn } from '@figbase/kit/rpc'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Transaction } from 'kysely'
import { deletePasswordFile } from '../../admin-password-file.js'
import { requireOtherAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import type { Database } from '../../db/schema.js'
import { isUsername } from '../../domain/new-user.js'
import { lastOwner } from '../../errors.js'
import { deleteFromCatalog, deleteFromCatalogNow } from '../../jobs/delete-from-catalog.js'
import { deleteFromTasks } from '../../jobs/delete-from-tasks.js'
import { ensurePrimaryWorkspace } from '../../jobs/ensure-primary-workspace.js'
import { mailAccountChanged } from '../../mails.js'
import { requirePassword } from '../../password-check.js'
import { type LockedUser, lockUser } from '../../queries/account-changes.js'
import { isAdministrator } from '../../queries/account-states.js'
import { eraseAccount } from '../../queries/erase-account.js'
import { insertStaffAction } from '../../queries/staff-actions.js'
import { findLogin, lockAdministrators } from '../../queries/users.js'
import type { AccountsImpl } from '../../routes.js'

const minuteMs = 60_000
const kind = StaffActionKind.DELETE_ACCOUNT

export function deleteUser(ctx: Ctx): AccountsImpl['deleteUser'] {
  return async ({ username, password }, call) => {
    const caller = requireSignIn(call)
    if (username === caller) await requirePassword(ctx, username, password, call)
    else if (!principal(call).isStaff) throw denied('STAFF')
    if (!isUsername(username)) throw notFound('this user')
    if (!(await findLogin(ctx.db, username))) throw notFound('this user')
    const { keptBy } = await ctx.people.checkLeaving({ username }, actAsSystem())
    if (keptBy.length > 0) throw lastOwner(keptBy)

    await ctx.transact(async (tx) => {
      await lockAdministrators(tx)
      if (username !== caller && !(await isAdministrator(tx, caller))) throw denied('STAFF')
      const user = await lockUser(tx, username)
      if (!user) throw notFound('this user')
      await requireOtherAdministrator(tx, user)
      await deleteAccount(ctx, tx, user)
      if (username !== caller) await insertStaffAction(tx, { by: caller, kind, target: username })
    })
    await deletePasswordFile(ctx, username)
    await deleteFromCatalogNow(ctx, username)
    return {}
  }
}

/** The jobs are enqueued in the same transaction, so the deletion completes even after a crash. */
async function deleteAccount(ctx: Ctx, tx: Transaction<Database>, user: LockedUser) {
  const { username } = user
  await mailAccountChanged(ctx, tx, user, 'deleted')
  await eraseAccount(tx, username)
  await ctx.cancelJob(tx, ensurePrimaryWorkspace, username)
  await ctx.enqueue(tx, deleteFromCatalog, { username }, { key: username })
  const runAt = new Date(Date.now() + ctx.cfg.accessTokenLifeMs + minuteMs)
  await ctx.enqueue(tx, deleteFromCatalog, { username }, { key: `${username} again`, runAt })
  // After the last access token has expired, which could still store a choice.
  await ctx.enqueue(tx, deleteFromTasks, { username }, { key: username, runAt })
}
