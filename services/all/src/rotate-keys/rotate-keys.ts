import { readSettings as read } from '@figbase/kit/config'
import { type Database, openSession } from '@figbase/kit/db'
import { createFailPoint } from '@figbase/kit/faults'
import { keysFrom, readKeys } from '@figbase/kit/keys'
import { lockDeletions } from '@figbase/kit/objects'
import { lockDataDir } from '../data-dir-lock.js'
import { Failure } from '../failure.js'
import type { Host } from '../main.js'
import { type OpenDatabase, openDatabase } from '../open-database.js'
import { newSecret, readSecrets, writeSecrets } from '../secrets.js'
import { readSettings, type Settings } from '../settings.js'
import { type ResealedColumn, resealAll } from './reseal.js'

export type RotateKeysOptions = {
  /** Drops the previous secret in the same run, which signs out all users. */
  dropPrevious: boolean
}

/**
 * Changes the secret of a data directory; when the environment has the secrets, it only re-encrypts. False when a value
 * cannot be decrypted with any secret.
 */
export async function runRotateKeys(
  { dropPrevious }: RotateKeysOptions,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  if (!host.env.FIGBASE_SECRET_KEY) return changeSecret(dropPrevious, settings, host, signal)
  requireConsistentSettings(dropPrevious, settings)
  await using database = await openDatabase(settings, host)
  const columns = await resealAll(database.of, read(host.env, readKeys), host, signal)
  return report(columns, [])
}

function requireConsistentSettings(dropPrevious: boolean, { databaseUrl }: Settings): void {
  if (dropPrevious) {
    throw new Failure(
      '--drop-previous cannot be used when FIGBASE_SECRET_KEY is set',
      'Remove the previous secret from FIGBASE_SECRET_KEYS_PREVIOUS of all processes.',
    )
  }
  if (!databaseUrl) {
    throw new Failure('FIGBASE_SECRET_KEY requires DATABASE_URL', 'Set both or neither.')
  }
}

/**
 * Adds the new secret to the file, re-encrypts everything with it, then drops the old one: at any moment the secrets in
 * the file can decrypt everything.
 */
async function changeSecret(
  dropPrevious: boolean,
  settings: Settings,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const { dataDir } = settings
  const failPoint = createFailPoint('rotate-keys', host.env.FAIL_AT ?? '')
  await using database = await openExclusively(settings, host)
  await using _blocked = await blockBackups(await database.of())
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
  const isComplete = columns.every(({ unreadable }) => unreadable.length === 0)
  const wasDone = columns.every(({ resealed }) => resealed === 0)
  const drops = isComplete && (dropPrevious || (!isNew && wasDone))
  if (drops) {
    failPoint?.('dropping')
    await writeSecrets(dataDir, { current: secrets.current, previous: [] })
    failPoint?.('dropped')
  }
  const created = isNew ? ['created a new secret'] : ['a new secret already exists']
  const after = drops
    ? 'dropped the previous secret: users who signed in with it must sign in again'
    : 'the previous secret is still accepted; the next figbase-server rotate-keys drops it'
  return report(columns, [...created, ...(isComplete ? [after] : [])])
}

/** Opens the database; throws a Failure when a running Figbase would keep using the old secret. */
async function openExclusively(settings: Settings, host: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl) {
    const database = await openDatabase(settings, host)
    if (!database.isRunning) return database
    await database[Symbol.asyncDispose]()
    throw new Failure(
      `Figbase is running on ${dataDir} and would not load the new secret`,
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

/** Prevents concurrent backups: these copy the database before the secrets, and would miss a dropped secret. */
async function blockBackups(database: Database): Promise<AsyncDisposable> {
  const session = await openSession(database, 'figbase rotate-keys')
  if (await lockDeletions(session)) return session
  await session[Symbol.asyncDispose]()
  throw new Failure('a backup is running', 'Wait until it has finished.')
}

function report(columns: ResealedColumn[], lines: string[]): boolean {
  for (const line of lines) console.log(line)
  for (const { column, resealed, unreadable } of columns) {
    console.log(`${column}: re-encrypted ${resealed}`)
    for (const id of unreadable) console.log(`  ${id} cannot be decrypted with any of the secrets`)
  }
  return columns.every(({ unreadable }) => unreadable.length === 0)
}
