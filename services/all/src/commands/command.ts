import type { ParseArgsConfig } from 'node:util'
import type { Host } from '../main.js'

export type OptionTypes = NonNullable<ParseArgsConfig['options']>

type Values<O extends OptionTypes> = {
  [N in keyof O]?: O[N]['type'] extends 'boolean' ? boolean : string
}

/** The words after the name of a command, and its options. */
export type CommandLine<O extends OptionTypes> = { words: string[] } & Values<O>

type Definition<O extends OptionTypes, Options> = {
  name: string
  /** Lines of the help text. */
  usage: string
  optionUsage?: string
  options: O
  /** Whether all settings are validated first: for commands that load the services. */
  requiresSettings?: boolean
  /** Throws an Error that says which argument is wrong. */
  parse(line: CommandLine<O>): Options
  /** Resolves to false when the command succeeded and reports problems. */
  run(options: Options, host: Host, signal: AbortSignal): Promise<unknown>
}

/** An operator's command with the types of its own options hidden. */
export type Command = Pick<
  Definition<OptionTypes, unknown>,
  'name' | 'usage' | 'optionUsage' | 'options'
> & {
  prepare(words: string[], values: Record<string, unknown>): PreparedCommand
}

/** A command with its parsed arguments. */
export type PreparedCommand = {
  requiresSettings: boolean
  run(host: Host, signal: AbortSignal): Promise<unknown>
}

export function defineCommand<const O extends OptionTypes, Options>({
  requiresSettings = false,
  parse,
  run,
  ...described
}: Definition<O, Options>): Command {
  return {
    ...described,
    prepare(words, values) {
      // parseArgs has checked the types of the values.
      const options = parse({ ...(values as Values<O>), words })
      return { requiresSettings, run: (host, signal) => run(options, host, signal) }
    },
  }
}

/** For commands that take options only. */
export function refuseWords([word]: string[]): void {
  if (word !== undefined) throw new Error(`Unknown word '${word}'`)
}
