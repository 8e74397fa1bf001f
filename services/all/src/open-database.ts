import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure.js'
import { InUse, lockDataDir } from './lock.js'
import type { Host } from './main.js'
import { runningUrl } from './postgres/address.js'
import { refuseUnreachable } from './postgres/database.js'
import { databaseName, startPostgres } from './postgres/embedded.js'
import { refuseHalfRestored } from './restoring.js'
import type { Settings } from './settings.js'

export type OpenDatabase = AsyncDisposable & { url: string; isRunning: boolean }

/** The database of an installation, whether or not Figbase runs; its PostgreSQL is started if it does not. */
export async function openDatabase(settings: Settings, { progress }: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl) {
    await refuseUnreachable(databaseUrl)
    return { url: databaseUrl, isRunning: true, async [Symbol.asyncDispose]() {} }
  }
  if (!(await stat(join(dataDir, 'postgres')).catch(() => undefined))) {
    throw new Failure(`there is no Figbase in ${dataDir}`, 'FIGBASE_DATA_DIR says where it is.')
  }
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
      url: postgres.databaseUrl,
      isRunning: false,
      async [Symbol.asyncDispose]() {
        await postgres[Symbol.asyncDispose]()
        await lock[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    if (!(error instanceof InUse)) throw error
    const url = await runningUrl(dataDir, databaseName)
    return { url, isRunning: true, async [Symbol.asyncDispose]() {} }
  }
}
