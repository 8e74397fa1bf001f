import { randomBytes } from 'node:crypto'
import type { Ctx } from './context.js'
import { createAccount, toNewUser } from './create-account.js'
import { checkNewUser } from './domain/new-user.js'
import { hashPassword } from './domain/password.js'
import { removeSecret, writeSecret } from './password-file.js'
import { hasAdministrator, lockAdministrators } from './queries/users.js'

export type Administrator = { username: string; email: string; password: string }

/** Returns false without changes when an administrator exists. */
export async function createAdministrator(
  ctx: Ctx,
  administrator: Administrator,
  beforeCommit: () => Promise<void> = async () => {},
): Promise<boolean> {
  const fields = { ...administrator, firstName: '', lastName: '' }
  // Checked before validation: settings that are no longer needed must not prevent startup.
  if (await hasAdministrator(ctx.db)) return false
  checkNewUser(fields)
  const passwordHash = await ctx.hashing(() => hashPassword(administrator.password))
  return ctx.transact(async (tx) => {
    await lockAdministrators(tx)
    if (await hasAdministrator(tx)) return false
    await createAccount(ctx, tx, { ...toNewUser(fields, passwordHash), is_staff: true })
    await beforeCommit()
    return true
  })
}

/**
 * Called at startup; creates the first administrator if a setting requests it. A generated password is on disk before
 * the user is committed, so it is never lost. The job creates the primary workspace: catalog may not be up yet.
 */
export async function createFirstAdministrator(ctx: Ctx): Promise<void> {
  const { adminUsername: username, adminEmail: email, adminPassword, adminPasswordFile } = ctx.cfg
  if (!adminPassword && !adminPasswordFile) return
  if (adminPassword) {
    await createAdministrator(ctx, { username, email, password: adminPassword })
    return
  }
  const password = randomBytes(24).toString('base64url')
  let written = false
  try {
    await createAdministrator(ctx, { username, email, password }, async () => {
      written = true
      await writeSecret(adminPasswordFile, `${password}\n`)
    })
  } catch (error) {
    // The commit may have succeeded although its response was lost: then the file is the only copy.
    const keep = !written || (await hasAdministrator(ctx.db).catch(() => true))
    if (!keep) await removeSecret(adminPasswordFile)
    throw error
  }
}
