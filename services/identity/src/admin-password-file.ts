import { readFile } from 'node:fs/promises'
import type { Ctx } from './context.js'
import { isPassword } from './domain/password.js'
import { removeSecret } from './password-file.js'
import { findLogin } from './queries/users.js'

/** At a start: the file of the first administrator goes when its password is not theirs any more. */
export async function removeStalePasswordFile({ cfg, db, hashing }: Ctx): Promise<void> {
  const { adminPasswordFile: file, adminUsername } = cfg
  const text = file && (await readFile(file, 'utf8').catch(() => ''))
  if (!text) return
  const login = await findLogin(db, adminUsername)
  if (!login || (await hashing(() => isPassword(login.password_hash, text.trim())))) return
  await removeSecret(file)
}

/** After somebody's password was changed, or the account deleted. */
export async function forgetPasswordFile({ cfg, log }: Ctx, username: string): Promise<void> {
  const { adminPasswordFile: file, adminUsername } = cfg
  if (!file || username !== adminUsername) return
  await removeSecret(file).catch((err) => log.warn({ err, file }, 'a stale file stays'))
}
