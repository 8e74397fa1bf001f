#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCode } from './exit-codes.js'
import { createProgram } from './program.js'

// A reader such as `head` may end first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCode.success : exitCode.failure)
})
process.once('SIGINT', () => process.exit(exitCode.interrupted))

const args = process.argv.slice(2)
try {
  await createProgram(args).parseAsync(args, { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the help or the error.
    process.exitCode = error.exitCode === 0 ? exitCode.success : exitCode.usage
  } else {
    const { fail } = await import('./failure.js')
    process.exitCode = fail(error, args.includes('--json'))
  }
}
