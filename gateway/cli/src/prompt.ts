import { text } from 'node:stream/consumers'
import { read } from 'read'
import { usageError } from './failure.js'

/** All of standard input. */
export const readInput = (): Promise<string> => text(process.stdin)

export const ask = (prompt: string): Promise<string> => answer({ prompt })

/** Does not show what is typed. */
export const askSecret = (prompt: string): Promise<string> => answer({ prompt, silent: true })

async function answer(options: { prompt: string; silent?: boolean }): Promise<string> {
  if (!process.stdin.isTTY) {
    throw usageError('This is not a terminal. Use --key, or --key - with the key as input')
  }
  try {
    return await read({ ...options, output: process.stderr })
  } catch (error) {
    // Ctrl-C and Ctrl-D
    if (error instanceof Error && error.message === 'canceled') process.exit(130)
    throw error
  }
}
