import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@figbase/kit/db'
import { DataDirInUse, lockDataDir } from './data-dir-lock.js'
import { Failure } from './failure.js'
import type { Host } from './main.js'
import { runningUrl } from './postgres/address.js'
import { databaseName, startPostgres } from './postgres/embedded.js'
import { launcherService, reachExternal } from './reach-database.js'
import { refuseIncompleteRestore } from './restore-marker.js'
import type { Settings } from './settings.js'

export type OpenDatabase = AsyncDisposable & {
  /** Direct connection settings for a service, without a pooler; default: those of the launcher. */
  of(service?: string): Promise<Database>
  isRunning: boolean
}

/** Opens the database of an installation; starts the built-in PostgreSQL unless Figbase is running. */
export async function openDatabase(settings: Settings, { progress }: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl) {
    const of = (service = launcherService) => reachDirectly(settings, service)
    await of()
    return { of, isRunning: true, async [Symbol.asyncDispose]() {} }
  }
  await requireInstallation(settings)
  await refuseIncompleteRestore(dataDir)
  try {
    const lock = await lockDataDir(dataDir)
    const postgres = await progress('Starting PostgreSQL', () => startPostgres({ dataDir })).catch(
      async (error) => {
        await lock[Symbol.asyncDispose]()
        throw error
      },
    )
    return {
      of: builtIn(postgres.databaseUrl),
      isRunning: false,
      async [Symbol.asyncDispose]() {
        await postgres[Symbol.asyncDispose]()
        await lock[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    const url = await runningUrl(dataDir, databaseName)
    return { of: builtIn(url), isRunning: true, async [Symbol.asyncDispose]() {} }
  }
}

/** Throws a Failure when the data directory has no installation. */
export async function requireInstallation({ dataDir }: Settings): Promise<void> {
  if (await stat(join(dataDir, 'postgres')).catch(() => undefined)) return
  throw new Failure(
    `no Figbase installation found in ${dataDir}`,
    'Set FIGBASE_DATA_DIR to its data directory.',
  )
}

/** The database of the built-in server, whose only role is the superuser. */
export const builtIn = (url: string) => async (): Promise<Database> => ({
  url,
  isPooled: false,
  directUrl: url,
})

/** Commands need sessions and long transactions, which poolers do not support. */
async function reachDirectly(settings: Settings, service: string): Promise<Database> {
  const database = await reachExternal(settings, service)
  if (database.directUrl) return database
  throw new Failure(
    'DATABASE_URL points to a pooler, and DATABASE_DIRECT_URL is not set',
    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  )
}
