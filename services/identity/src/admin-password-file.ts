import { readFile } from 'node:fs/promises'
import type { Ctx } from './context.js'
import { verifyPassword } from './domain/password.js'
import { removeSecret } from './password-file.js'
import { findLogin } from './queries/users.js'

/**
 * Called at startup: deletes the password file of the first administrator when their password has changed since.
 */
export async function removeStalePasswordFile({ cfg, db, hashing }: Ctx): Promise<void> {
  const { adminPasswordFile: file, adminUsername } = cfg
  const text = file && (await readFile(file, 'utf8').catch(() => ''))
  if (!text) return
  const login = await findLogin(db, adminUsername)
  if (!login || (await hashing(() => verifyPassword(login.password_hash, text.trim())))) return
  await removeSecret(file)
}

/** Called after the password of a user was changed or their account deleted. */
export async function deletePasswordFile({ cfg, log }: Ctx, username: string): Promise<void> {
  const { adminPasswordFile: file, adminUsername } = cfg
  if (!file || username !== adminUsername) return
  await removeSecret(file).catch((err) =>
    log.warn({ err, file }, 'cannot delete the stale password file'),
  )
}
