import { Command } from 'commander'
import { addCommands } from './commands.js'
import { toJson } from './text.js'
import { version } from './version.js'

const examples = `
Examples:
  figbase login --url https://figbase.example.org
  figbase publish means.png means.py means.csv --to 'Climate/Temperatures/Monthly means'
  figbase publish figures/ --to Climate/Temperatures
  figbase search 'monthly means'
  figbase get 'Climate/Temperatures/Monthly means' -o means.png

A REF is an api_id, a short id, a path (workspace/analysis/figure), or the address of a page.
The guide: <server>/docs/command/`

/** The command with all its commands. `args` decides how errors are printed. */
export function createProgram(args: string[]): Command {
  const program = new Command('figbase')
    .description('Publishes figures to Figbase, finds them and gets them.')
    .version(version)
    .exitOverride()
    .addHelpText('after', examples)
  if (args.includes('--json')) {
    program.configureOutput({
      outputError: (text, write) =>
        write(`${toJson({ error: 'usage', detail: text.replace(/^error: /, '').trim() })}\n`),
    })
  } else program.showHelpAfterError('Run with --help to see what it expects.')
  addCommands(program)
  return program
}
