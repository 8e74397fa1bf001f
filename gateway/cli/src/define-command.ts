import { type Command, InvalidArgumentError } from 'commander'

/** A command with the options that all have. */
export function add(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print JSON')
    .option('--profile <name>', 'another profile than the current one')
}

/** For an option that can be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value]

export const toCount = (max: number) => (text: string) => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= max) return count
  throw new InvalidArgumentError(`It must be a number from 1 to ${max}.`)
}
