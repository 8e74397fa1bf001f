import { parseArgs } from 'node:util'
import { Failure } from './failure.js'

export type Arguments = { distributed: boolean; help: boolean }

export const usage = `Usage: npm start [-- options]     or: node services/all/start.mjs [options]

Starts Figbase on this machine, with a PostgreSQL of its own; Ctrl-C or SIGTERM stops it.

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
    const { values } = parseArgs({
      args,
      options: {
        distributed: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { distributed: values.distributed, help: values.help }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Failure(`${why}.`, '--help lists the options.')
  }
}
