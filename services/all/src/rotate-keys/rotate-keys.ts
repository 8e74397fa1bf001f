import {
  createFailPoint,
  type Database,
  holdDeletions,
  keysFrom,
  openSession,
  readSettings as read,
  readKeys,
} from '@figbase/kit'
import { Failure } from '../failure.js'
import { lockDataDir } from '../lock.js'
import type { Host } from '../main.js'
import { type OpenDatabase, openDatabase } from '../open-database.js'
import { newSecret, readSecrets, writeSecrets } from '../secrets.js'
import { readSettings, type Settings } from '../settings.js'
import { type ResealedColumn, resealAll } from './reseal.js'

export type RotateKeysCommand = {
  name: 'rotate-keys'
  /** In one go, and whoever is signed in. */
  dropPrevious: boolean
}

/**
 * Changes the secret of a data directory; where the environment has the secrets, it only seals anew. False:
 * something opens with none of them.
 */
export async function runRotateKeys(
  { dropPrevious }: RotateKeysCommand,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  if (!host.env.FIGBASE_SECRET_KEY) return changeSecret(dropPrevious, settings, host, signal)
  refuseOthers(dropPrevious, settings)
  await using database = await openDatabase(settings, host)
  const columns = await resealAll(database.of, read(host.env, readKeys), host, signal)
  return report(columns, [])
}

function refuseOthers(dropPrevious: boolean, { databaseUrl }: Settings): void {
  if (dropPrevious) {
    throw new Failure(
      'FIGBASE_SECRET_KEY is set: --drop-previous is for secrets in a data directory',
      'Leave it out of FIGBASE_SECRET_KEYS_PREVIOUS of all processes.',
    )
  }
  if (!databaseUrl) {
    throw new Failure('FIGBASE_SECRET_KEY is set, and DATABASE_URL is not', 'Set both, or none.')
  }
}

/**
 * First the file has both secrets, then all is sealed with the new one, then the old one goes: at any moment
 * everything opens with what the file has.
 */
async function changeSecret(
  dropPrevious: boolean,
  settings: Settings,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const { dataDir } = settings
  const failPoint = createFailPoint('rotate-keys', host.env.FAIL_AT ?? '')
  await using database = await openAlone(settings, host)
  await using _held = await holdBackups(await database.of())
  const found = await readSecrets(dataDir)
  const isNew = found.previous.length === 0
  const secrets = isNew ? { current: newSecret(), previous: [found.current] } : found
  if (isNew) {
    failPoint?.('adding')
    await writeSecrets(dataDir, secrets)
    failPoint?.('added')
  }
  const keys = keysFrom(secrets.current, secrets.previous)
  const columns = await resealAll(database.of, keys, host, signal)
  const isWell = columns.every(({ unreadable }) => unreadable.length === 0)
  const wasDone = columns.every(({ resealed }) => resealed === 0)
  const drops = isWell && (dropPrevious || (!isNew && wasDone))
  if (drops) {
    failPoint?.('dropping')
    await writeSecrets(dataDir, { current: secrets.current, previous: [] })
    failPoint?.('dropped')
  }
  const made = isNew ? ['made a new secret'] : ['there is a new secret already']
  const after = drops
    ? 'dropped the previous one: whoever was signed in by it signs in again'
    : 'the previous one is accepted still; the next rotate-keys drops it'
  return report(columns, [...made, ...(isWell ? [after] : [])])
}

/** The database, while nothing runs that would go on with the secret as it was. */
async function openAlone(settings: Settings, host: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl) {
    const database = await openDatabase(settings, host)
    if (!database.isRunning) return database
    await database[Symbol.asyncDispose]()
    throw new Failure(
      `Figbase is running on ${dataDir}, and would not learn of the new secret`,
      'Stop it first.',
    )
  }
  const lock = await lockDataDir(dataDir)
  const unlock = () => lock[Symbol.asyncDispose]()
  const database = await openDatabase(settings, host).catch(async (error) => {
    await unlock()
    throw error
  })
  return { ...database, [Symbol.asyncDispose]: unlock }
}

/** A backup copies the database before the file of the secrets: it must not miss one that was dropped. */
async function holdBackups(database: Database): Promise<AsyncDisposable> {
  const session = await openSession(database, 'figbase rotate-keys')
  if (await holdDeletions(session)) return session
  await session[Symbol.asyncDispose]()
  throw new Failure('a backup is being made', 'Wait until it has ended.')
}

function report(columns: ResealedColumn[], lines: string[]): boolean {
  for (const line of lines) console.log(line)
  for (const { column, resealed, unreadable } of columns) {
    console.log(`${column}: sealed ${resealed} anew`)
    for (const id of unreadable) console.log(`  ${id} opens with none of the secrets`)
  }
  return columns.every(({ unreadable }) => unreadable.length === 0)
}
