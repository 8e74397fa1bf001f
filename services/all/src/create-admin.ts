import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AccountRefused, checkAdministrator, makeAdministrator } from '@figbase/identity'
import { adminPasswordName, adminUsernameOf } from './admin-password.js'
import { explainSchema } from './explain-schema.js'
import { Failure } from './failure.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readPassword } from './read-password.js'
import { readSettings } from './settings.js'

export type CreateAdminCommand = {
  name: 'create-admin'
  username: string
  email?: string
  /** `-`: standard input. Without, whoever runs it is asked, when there is no such account yet. */
  passwordFile?: string
}

/** Makes an administrator, or makes one of an account that is there. */
export async function runCreateAdmin(command: CreateAdminCommand, host: Host): Promise<void> {
  const { username, email, passwordFile } = command
  // Before anything is started; whoever sits at the terminal is asked only when it is needed.
  const given = passwordFile === undefined ? undefined : await readPassword(passwordFile)
  try {
    checkAdministrator({ username, email, password: given })
  } catch (error) {
    explainRefusal(error)
  }
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  const isNew = await makeAdministrator({
    env: { LOG_LEVEL: 'silent', ...host.env },
    database: await database.of('identity'),
    username,
    email,
    changesPassword: passwordFile !== undefined,
    readPassword: async () => given ?? (await readPassword(undefined)),
  })
    .catch(explainSchema)
    .catch(explainRefusal)
  // It has the password of before.
  if (!isNew && given !== undefined && username === adminUsernameOf(host.env)) {
    await rm(join(settings.dataDir, adminPasswordName), { force: true })
  }
  const password = passwordFile === undefined ? '' : ', with the new password'
  console.log(
    isNew ? `made the administrator ${username}` : `${username} is an administrator${password}`,
  )
}

function explainRefusal(cause: unknown): never {
  if (!(cause instanceof AccountRefused)) throw cause
  throw new Failure(cause.message, 'Nothing was changed.', { cause })
}
