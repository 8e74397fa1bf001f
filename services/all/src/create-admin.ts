import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AccountRefused, checkAdministrator, upsertAdministrator } from '@figbase/identity'
import { adminPasswordName, adminUsernameOf } from './admin-password.js'
import { explainSchema } from './explain-schema.js'
import { Failure } from './failure.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readPassword } from './read-password.js'
import { readSettings } from './settings.js'

export type CreateAdminOptions = {
  username: string
  email?: string
  /** `-`: standard input. Default: a prompt, for a new account only. */
  passwordFile?: string
}

/** Creates an administrator, or promotes an existing account. */
export async function runCreateAdmin(options: CreateAdminOptions, host: Host): Promise<void> {
  const { username, email, passwordFile } = options
  // Read before anything is started; the prompt comes only when the password is needed.
  const given = passwordFile === undefined ? undefined : await readPassword(passwordFile)
  try {
    checkAdministrator({ username, email, password: given })
  } catch (error) {
    explainRefusal(error)
  }
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  const isNew = await upsertAdministrator({
    env: { LOG_LEVEL: 'silent', ...host.env },
    database: await database.of('identity'),
    username,
    email,
    changesPassword: passwordFile !== undefined,
    readPassword: async () => given ?? (await readPassword(undefined)),
  })
    .catch(explainSchema)
    .catch(explainRefusal)
  // The file has the old password.
  if (!isNew && given !== undefined && username === adminUsernameOf(host.env)) {
    await rm(join(settings.dataDir, adminPasswordName), { force: true })
  }
  const password = passwordFile === undefined ? '' : ', with the new password'
  console.log(
    isNew ? `created administrator ${username}` : `${username} is an administrator${password}`,
  )
}

function explainRefusal(cause: unknown): never {
  if (!(cause instanceof AccountRefused)) throw cause
  throw new Failure(cause.message, 'Nothing was changed.', { cause })
}
