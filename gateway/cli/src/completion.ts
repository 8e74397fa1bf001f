import type { Command, Option } from 'commander'

/**
 * What may follow in the last of `words`. Nothing where a file or a value of the user is expected; a shell then completes
 * file names.
 */
export function candidatesOf(program: Command, words: string[]): string[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const command = commandAt(program, before)
  const options = command.createHelp().visibleOptions(command)
  const valued = options.find((one) => takesValue(one) && isNamed(one, before.at(-1)))
  const possible = valued
    ? (valued.argChoices ?? [])
    : current.startsWith('-')
      ? options.map(({ long, short }) => long ?? short ?? '')
      : wordsOf(command)
  return possible.filter((one) => one.startsWith(current))
}

function wordsOf(command: Command): string[] {
  const commands = command.createHelp().visibleCommands(command)
  return [
    ...commands.map((one) => one.name()),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  ]
}

const isNamed = ({ short, long }: Option, word: string | undefined) =>
  word !== undefined && (word === short || word === long)

const takesValue = ({ required, optional }: Option) => required || optional

/** The command that words name: `story export` of `--json story export x`. */
function commandAt(program: Command, words: string[]): Command {
  let at = program
  for (const word of words) at = at.commands.find((one) => one.name() === word) ?? at
  return at
}

/** Scripts that ask `figbase complete` for candidates. */
export const scripts = {
  bash: `_figbase() {
  local IFS=$'\\n'
  COMPREPLY=($(figbase complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _figbase figbase
`,
  zsh: `#compdef figbase
_figbase() {
  local -a candidates
  candidates=(\${(f)"$(figbase complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#candidates} )); then compadd -- $candidates; else _files; fi
}
compdef _figbase figbase
`,
  fish: `function __figbase_complete
  set -l words (commandline -opc) (commandline -ct)
  figbase complete -- $words[2..] 2>/dev/null
end
complete -c figbase -f -n 'count (__figbase_complete) >/dev/null' -a '(__figbase_complete)'
`,
}
