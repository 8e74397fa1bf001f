import type { Host } from '../main.js'

/** An option with its description; `value` is the name of its value in the help text. */
export type Option =
  | { type: 'boolean'; description: string }
  | { type: 'string'; description: string; value: string }
export type Options = Record<string, Option>

type Values<O extends Options> = {
  [N in keyof O]?: O[N]['type'] extends 'boolean' ? boolean : string
}

/** The words after the name of a command, and its options. */
export type CommandLine<O extends Options> = { words: string[] } & Values<O>

/** What the help texts say about a command. */
export type Description<O extends Options = Options> = {
  name: string
  /** What it does, in one line: a sentence without subject and period. */
  summary: string
  /** What follows the name, with descriptions; several are alternatives. */
  arguments?: Record<string, string>
  options: O
  /** What follows `figbase-server`. */
  example: string
}

type Definition<O extends Options, Parsed> = Description<O> & {
  /** Whether all settings are validated first: for commands that load the services. */
  requiresSettings?: boolean
  /** Throws an Error that says which argument is wrong. */
  parse(line: CommandLine<O>): Parsed
  /** Resolves to false when the command succeeded and reports problems. */
  run(parsed: Parsed, host: Host, signal: AbortSignal): Promise<unknown>
}

/** An operator's command with the types of its own options hidden. */
export type Command = Description & {
  prepare(words: string[], values: Record<string, unknown>): PreparedCommand
}

/** A command with its parsed arguments. */
export type PreparedCommand = {
  requiresSettings: boolean
  run(host: Host, signal: AbortSignal): Promise<unknown>
}

export function defineCommand<const O extends Options, Parsed>({
  requiresSettings = false,
  parse,
  run,
  ...description
}: Definition<O, Parsed>): Command {
  return {
    ...description,
    prepare(words, values) {
      // parseArgs has checked the types of the values.
      const parsed = parse({ ...(values as Values<O>), words })
      return { requiresSettings, run: (host, signal) => run(parsed, host, signal) }
    },
  }
}

/** For commands that take options only. */
export function refuseWords([word]: string[]): void {
  if (word !== undefined) throw new Error(`Unknown word '${word}'`)
}
