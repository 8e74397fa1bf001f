import { parseArgs } from 'node:util'
import { isUuid } from '@figbase/kit'
import { Failure } from './failure.js'

/** What an operator does with events that failed too often; all of them without an id. */
export type DeadLettersCommand =
  | { action: 'list' }
  | { action: 'show'; eventId: string }
  | { action: 'replay'; eventId?: string }

export type Arguments = { distributed: boolean; help: boolean; deadLetters?: DeadLettersCommand }

export const usage = `Usage: npm start [-- options]     or: node services/all/start.mjs [options]

Starts Figbase on this machine, with a PostgreSQL of its own; Ctrl-C or SIGTERM stops it.

Commands (whether or not Figbase is running)
  dead-letters list               events that could not be handled, and why
  dead-letters show <id>          one of them in full
  dead-letters replay <id>|--all  has them handled again

Options
  --distributed   one process for each service, and one for the gateway
  --help          show this text

Settings (environment)
  HOST              the address to listen on (127.0.0.1; 0.0.0.0 is all of them)
  PORT              where to listen, 0 for any free port (8000)
  PUBLIC_URL        the address under which people reach it
  FIGBASE_DATA_DIR  where everything is kept (.figbase in the repository)
  DATABASE_URL      use this PostgreSQL instead of the built-in one
  SHUTDOWN_TIMEOUT  how long requests in flight may take when stopping (30s)
  FIGBASE_DEBUG     1 shows stack traces
`

export function parseArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        distributed: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        all: { type: 'boolean', default: false },
      },
    })
    const { distributed, help, all } = values
    const [command, ...rest] = positionals
    if (command === undefined && !all) return { distributed, help }
    if (command !== 'dead-letters') throw new Error(`Unknown command '${command ?? '--all'}'`)
    return { distributed, help, deadLetters: readDeadLetters(rest, all) }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Failure(`${why}.`, '--help lists the options.')
  }
}

function readDeadLetters([action, eventId, ...rest]: string[], all: boolean): DeadLettersCommand {
  if (rest.length > 0) throw new Error(`Unknown word '${rest[0]}'`)
  if (eventId !== undefined && !isUuid(eventId)) throw new Error(`'${eventId}' is not an id`)
  if (action === 'list' && !eventId && !all) return { action }
  if (action === 'show' && eventId && !all) return { action, eventId }
  if (action === 'replay' && eventId && !all) return { action, eventId }
  if (action === 'replay' && !eventId && all) return { action }
  throw new Error('dead-letters takes list, show <id>, replay <id> or replay --all')
}
