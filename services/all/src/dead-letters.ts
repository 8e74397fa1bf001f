import { type DeadLetter, openDeadLetters } from '@figbase/kit/events'
import { Failure } from './failure.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readSettings } from './settings.js'

/** Without an id, `replay` retries all events. */
export type DeadLettersAction =
  | { action: 'list' }
  | { action: 'show'; eventId: string }
  | { action: 'replay'; eventId?: string }

/** Lists, prints or replays dead letters, whether or not Figbase is running. */
export async function runDeadLetters(command: DeadLettersAction, host: Host): Promise<void> {
  const { services } = await import('./all-in-one.js')
  await using database = await openDatabase(readSettings(host.env, host.cwd, host.root), host)
  const names = services.map((service) => service.name)
  await using letters = await openDeadLetters(database.of, names)
  if (command.action === 'list') return list(await letters.list())
  if (command.action === 'show') return show(await letters.list(command.eventId), command.eventId)
  const count = await letters.replay(command.eventId)
  if (count === 0 && command.eventId) throw notFound(command.eventId)
  const when = database.isRunning ? 'now' : 'when Figbase starts'
  console.log(`replaying ${count} ${when}`)
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
  if (letters.length === 0) throw notFound(eventId)
  console.log(JSON.stringify(letters, undefined, 2))
}

const notFound = (eventId: string) =>
  new Failure(
    `dead letter ${eventId} not found`,
    'Run figbase-server dead-letters list to see the ids.',
  )
