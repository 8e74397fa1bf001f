import { type DeadLetter, openDeadLetters } from '@figbase/kit'
import type { DeadLettersCommand } from './arguments.js'
import { Failure } from './failure.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readSettings } from './settings.js'

/** Lists, shows or replays dead letters, whether or not Figbase is running on the data. */
export async function runDeadLetters(command: DeadLettersCommand, host: Host): Promise<void> {
  const { services } = await import('./all-in-one.js')
  await using database = await openDatabase(readSettings(host.env, host.cwd, host.root), host)
  const names = services.map((service) => service.name)
  await using letters = await openDeadLetters(database.of, names)
  if (command.action === 'list') return list(await letters.list())
  if (command.action === 'show') return show(await letters.list(command.eventId), command.eventId)
  const count = await letters.replay(command.eventId)
  if (count === 0 && command.eventId) throw unknown(command.eventId)
  const when = database.isRunning ? 'now' : 'when Figbase starts'
  console.log(`${count} to be handled again ${when}`)
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
