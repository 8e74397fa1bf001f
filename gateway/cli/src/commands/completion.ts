import type { Command } from 'commander'
import { candidatesOf, scripts } from '../completion.js'

export function printScript(shell: keyof typeof scripts): void {
  process.stdout.write(scripts[shell])
}

export function printCandidates(program: Command, words: string[]): void {
  for (const one of candidatesOf(program, words)) process.stdout.write(`${one}\n`)
}
