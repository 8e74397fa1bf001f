import type { Description, Option } from './commands/command.js'
import { descriptions } from './commands/index.js'

const program = 'figbase-server'

/** What `--help` prints without a command. */
export const help = (): string => `Usage: ${program} [<command>] [options]

Runs and maintains Figbase. Without a command, it starts Figbase; Ctrl-C or SIGTERM stops it.

Commands
${table(descriptions.map(({ name, summary }) => [name, summary]))}

Options
${table([
  ['--help, -h', 'prints this text, or after a command the help of the command'],
  ['--version', 'prints the version'],
])}

Settings (environment)
${table([
  ['HOST', 'address to listen on (127.0.0.1; 0.0.0.0 for all)'],
  ['PORT', 'port to listen on, 0 for any free port (8000)'],
  ['PUBLIC_URL', 'address under which users reach Figbase'],
  ['FIGBASE_DATA_DIR', 'data directory (.figbase in the repository)'],
  ['DATABASE_URL', 'external PostgreSQL to use instead of the built-in one'],
  ['SHUTDOWN_TIMEOUT', 'how long requests in flight may take during shutdown (30s)'],
  ['FIGBASE_DEBUG', '1 prints stack traces'],
])}`

/** What `--help` prints after a command. */
export function helpOf({
  name,
  summary,
  arguments: words = {},
  options,
  example,
}: Description): string {
  const alternatives = Object.entries(words)
  const usage = [name, alternatives.map(([word]) => word).join(' | '), '[options]']
  const rows = Object.entries(options).map(([option, one]) => [flag(option, one), one.description])
  return `Usage: ${program} ${usage.filter(Boolean).join(' ')}

${summary.charAt(0).toUpperCase()}${summary.slice(1)}.
${alternatives.length > 0 ? `\nArguments\n${table(alternatives)}\n` : ''}
Options
${table([...rows, ['--help, -h', 'prints this text']])}

Example
  ${program} ${example}`
}

const flag = (name: string, option: Option) =>
  option.type === 'string' ? `--${name} ${option.value}` : `--${name}`

function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}
