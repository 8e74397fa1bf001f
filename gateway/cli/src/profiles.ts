import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'
import { exitCode } from './exit-codes.js'
import { CommandError, usageError } from './failure.js'

export type Profile = {
  url: string
  key: string
  /** The name of the workspace in which paths begin. */
  workspace?: string
}

/** What is stored: the servers that the user has signed in to, and the one that is used without `--profile`. */
export type Profiles = { current?: string; profiles: Record<string, Profile> }

const paths = envPaths('figbase', { suffix: '' })

/** In the place that the system has for configuration; `XDG_CONFIG_HOME` changes it on Linux. */
export const profilesFile = (): string => join(paths.config, 'profiles.json')
/** For what may be deleted. */
export const cacheDir = (): string => paths.cache

/** Throws if other users of the machine could read the keys. */
export async function readProfiles(file = profilesFile()): Promise<Profiles> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return { profiles: {} }
  try {
    const { mode } = await handle.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw refused(`${file} can be read by other users. Run: chmod 600 '${file}'`)
    }
    return parse(await handle.readFile('utf8'), file)
  } finally {
    await handle.close()
  }
}

const refused = (message: string) =>
  new CommandError(exitCode.failure, 'profiles_unusable', message)

function parse(text: string, file: string): Profiles {
  try {
    const read = JSON.parse(text) as Profiles
    if (typeof read.profiles === 'object' && read.profiles !== null) return read
  } catch {
    // As below.
  }
  throw refused(`${file} is not what figbase login writes. Delete it, and sign in again`)
}

export async function writeProfiles(profiles: Profiles, file = profilesFile()): Promise<void> {
  await writePrivate(file, `${JSON.stringify(profiles, null, 2)}\n`)
}

/** Writes a file that only this user can read, as a whole or not at all. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
  await rename(temporary, file)
}

/** The profile with a name, or else the current one. */
export function chooseProfile({ current, profiles }: Profiles, name = current): Profile {
  const chosen = name === undefined ? undefined : ownOf(profiles, name)
  if (chosen) return chosen
  if (name === undefined) {
    const message = 'Not signed in. Sign in with: figbase login --url https://…'
    throw new CommandError(exitCode.notAllowed, 'not_signed_in', message)
  }
  const known = Object.keys(profiles).join(', ') || 'none'
  throw usageError(`There is no profile ${name}. Known: ${known}`)
}

/** Not what objects inherit, as `constructor`. */
const ownOf = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
