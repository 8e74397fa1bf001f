import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@figbase/kit'
import { Failure } from './failure.js'
import { InUse, lockDataDir } from './lock.js'
import type { Host } from './main.js'
import { runningUrl } from './postgres/address.js'
import { databaseName, startPostgres } from './postgres/embedded.js'
import { launcherService, reachExternal } from './reach-database.js'
import { refuseHalfRestored } from './restoring.js'
import type { Settings } from './settings.js'

export type OpenDatabase = AsyncDisposable & {
  /** As a service reaches it, past a pooler; for what is of none, leave it out. */
  of(service?: string): Promise<Database>
  isRunning: boolean
}

/** The database of an installation, whether or not Figbase runs; its PostgreSQL is started if it does not. */
export async function openDatabase(settings: Settings, { progress }: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl) {
    const of = (service = launcherService) => reachDirectly(settings, service)
    await of()
    return { of, isRunning: true, async [Symbol.asyncDispose]() {} }
  }
  await requireInstallation(settings)
  await refuseHalfRestored(dataDir)
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
    if (!(error instanceof InUse)) throw error
    const url = await runningUrl(dataDir, databaseName)
    return { of: builtIn(url), isRunning: true, async [Symbol.asyncDispose]() {} }
  }
}

/** Throws a Failure for a data directory that none was started on. */
export async function requireInstallation({ dataDir }: Settings): Promise<void> {
  if (await stat(join(dataDir, 'postgres')).catch(() => undefined)) return
  throw new Failure(`there is no Figbase in ${dataDir}`, 'FIGBASE_DATA_DIR says where it is.')
}

/** For a database that is the only one of its server, and whose one role is the superuser. */
export const builtIn = (url: string) => async (): Promise<Database> => ({
  url,
  isPooled: false,
  directUrl: url,
})

/** What commands do needs sessions, and takes long: it is not for a pooler. */
async function reachDirectly(settings: Settings, service: string): Promise<Database> {
  const database = await reachExternal(settings, service)
  if (database.directUrl) return database
  throw new Failure(
    'DATABASE_DIRECT_URL is not set, and DATABASE_URL leads to a pooler',
    'Set it to the address of the PostgreSQL itself.',
  )
}
