import { text } from 'node:stream/consumers'
import { read } from 'read'
import { usageError } from './failure.js'

/** All of standard input. */
export const readInput = (): Promise<string> => text(process.stdin)

/** Does not show what is typed. */
export async function askSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw usageError('This is not a terminal. Use --key, or --key - with the key as input')
  }
  try {
    const typed = await read({ prompt, silent: true, output: process.stderr })
    // The end of the line is not shown, either.
    process.stderr.write('\n')
    return typed
  } catch (error) {
    // Ctrl-C and Ctrl-D
    if (error instanceof Error && error.message === 'canceled') process.exit(130)
    throw error
  }
}
