import { parseArgs } from 'node:util'
import type { OptionTypes, PreparedCommand } from './commands/command.js'
import { commands } from './commands/index.js'
import { Failure } from './failure.js'
import { processNames } from './programs.js'

/** Without a command, Figbase starts; `serve` names the one process of it that runs here. */
export type Arguments = {
  distributed: boolean
  help: boolean
  command?: PreparedCommand
  serve?: string
}

const commandUsage = commands.map((one) => one.usage).join('\n')
const optionUsage = commands.flatMap((one) => one.optionUsage ?? []).join('\n')

export const usage = `Usage: npm start [-- options]     or: node services/all/start.mjs [options]

Starts Figbase on this machine with its own PostgreSQL; Ctrl-C or SIGTERM stops it.

Processes
  serve all                       the same as without a command
  serve gateway|<service>         runs one process, configured by the environment only:
                                  DATABASE_URL, FIGBASE_SECRET_KEY, the addresses of the others …

Commands (whether or not Figbase is running)
${commandUsage}

Options
  --distributed   runs a process per service, and one for the gateway
${optionUsage}
  --help          prints this text

Settings (environment)
  HOST              address to listen on (127.0.0.1; 0.0.0.0 for all)
  PORT              port to listen on, 0 for any free port (8000)
  PUBLIC_URL        address under which users reach Figbase
  FIGBASE_DATA_DIR  data directory (.figbase in the repository)
  DATABASE_URL      external PostgreSQL to use instead of the built-in one
  SHUTDOWN_TIMEOUT  how long requests in flight may take during shutdown (30s)
  FIGBASE_DEBUG     1 prints stack traces
`

const commonOptions = {
  distributed: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const commandOptions: OptionTypes = Object.assign({}, ...commands.map((one) => one.options))

/** Throws a Failure for unknown or invalid arguments. */
export function parseArguments(args: string[]): Arguments {
  try {
    const options = { ...commandOptions, ...commonOptions }
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const { distributed, help, ...given } = values
    const [name, ...words] = positionals
    const common = { distributed: distributed === true, help: help === true }
    if (name === 'serve') return { ...common, ...parseServe(words, Object.keys(given)) }
    const found = commands.find((one) => one.name === name)
    const [other] = Object.keys(given).filter((key) => !found || !(key in found.options))
    if (name !== undefined && !found) throw new Error(`Unknown command '${name}'`)
    if (other !== undefined) throw new Error(`Unknown ${name ? 'option' : 'command'} '--${other}'`)
    return { ...common, ...(found && { command: found.prepare(words, given) }) }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Failure(`${why}.`, '--help lists the options.')
  }
}

function parseServe([name = '', ...rest]: string[], [option]: string[]): Pick<Arguments, 'serve'> {
  if (option !== undefined) throw new Error(`Unknown option '--${option}'`)
  if (rest.length > 0) throw new Error(`Unknown word '${rest[0]}'`)
  if (name === 'all') return {}
  if (processNames.includes(name)) return { serve: name }
  throw new Error(`serve takes one of all, ${processNames.join(', ')}`)
}
