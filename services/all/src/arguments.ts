import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type PreparedCommand, refuseWords } from './commands/command.js'
import { commands, descriptions } from './commands/index.js'
import { parseServe, serve } from './commands/serve.js'
import { Failure } from './failure.js'
import { help, helpOf } from './help.js'
import { readVersion } from './version.js'

/** What to do: at most one of `text`, `serve` and `command`. Without them, Figbase starts. */
export type Arguments = {
  /** To be printed: the help or the version. */
  text?: string
  /** The one process that runs here. */
  serve?: string
  command?: PreparedCommand
  distributed?: boolean
}

const options: NonNullable<ParseArgsConfig['options']> = {
  ...Object.assign({}, ...descriptions.map((one) => one.options)),
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
}

/** Throws a Failure for unknown or invalid arguments. */
export function parseArguments(args: string[]): Arguments {
  let remedy = 'figbase-server --help lists the commands.'
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const { distributed = false, help: wantsHelp, version, ...given } = values
    const [name, ...words] = positionals
    const found = descriptions.find((one) => one.name === name)
    if (name !== undefined && !found) throw new Error(`Unknown command '${name}'`)
    if (found) remedy = `figbase-server ${name} --help describes the command.`
    const [other] = Object.keys(given).filter((key) => !found || !(key in found.options))
    if (other !== undefined) throw new Error(`Unknown ${name ? 'option' : 'command'} '--${other}'`)
    if (version) return { text: readVersion() }
    if (wantsHelp) return { text: found ? helpOf(found) : help() }
    const command = commands.find((one) => one === found)
    if (command) return { command: command.prepare(words, given) }
    const process = found === serve ? parseServe(words) : refuseWords(words)
    return process ? { serve: process } : { distributed: distributed === true }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Failure(`${why}.`, remedy)
  }
}
