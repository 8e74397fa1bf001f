import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeadLetter, openDeadLetters } from '@figbase/kit'
import type { DeadLettersCommand } from './arguments.js'
import { Failure } from './failure.js'
import { InUse, lockDataDir } from './lock.js'
import type { Host } from './main.js'
import { runningUrl } from './postgres/address.js'
import { refuseUnreachable } from './postgres/database.js'
import { databaseName, startPostgres } from './postgres/embedded.js'
import { readSettings, type Settings } from './settings.js'

/** Lists, shows or replays dead letters, whether or not Figbase is running on the data. */
export async function runDeadLetters(command: DeadLettersCommand, host: Host): Promise<void> {
  const { services } = await import('./all-in-one.js')
  await using database = await openDatabase(readSettings(host.env, host.cwd, host.root), host)
  const names = services.map((service) => service.name)
  await using letters = openDeadLetters(database.url, names)
  if (command.action === 'list') return list(await letters.list())
  if (command.action === 'show') return show(await letters.list(command.eventId), command.eventId)
  const count = await letters.replay(command.eventId)
  if (count === 0 && command.eventId) throw unknown(command.eventId)
  const when = database.isRunning ? 'now' : 'when Figbase starts'
  console.log(`${count} to be handled again ${when}`)
}

type OpenDatabase = AsyncDisposable & { url: string; isRunning: boolean }

async function openDatabase(settings: Settings, { progress }: Host): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl) {
    await refuseUnreachable(databaseUrl)
    return { url: databaseUrl, isRunning: true, async [Symbol.asyncDispose]() {} }
  }
  if (!(await stat(join(dataDir, 'postgres')).catch(() => undefined))) {
    throw new Failure(`there is no Figbase in ${dataDir}`, 'FIGBASE_DATA_DIR says where it is.')
  }
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

function list(letters: DeadLetter[]): void {
  if (letters.length === 0) console.log('no dead letters')
  for (const { event, consumer, attempts, diedOn, error } of letters) {
    const [reason] = error.split('\n')
    const what = `${event.name} (${event.key})`
    console.log(`${event.id}  ${diedOn}  ${consumer}  ${what}  ${attempts} attempts: ${reason}`)
  }
}

function show(letters: DeadLetter[], eventId: string): void {
  if (letters.length === 0) throw unknown(eventId)
  console.log(JSON.stringify(letters, undefined, 2))
}

const unknown = (eventId: string) =>
  new Failure(`no dead letter has the id ${eventId}`, 'dead-letters list shows them.')
