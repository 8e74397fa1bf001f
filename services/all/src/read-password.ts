import { readFile } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Failure } from './failure.js'

/** Reads from a file, standard input (`-`) or a prompt; never from the command line, which other users can see. */
export async function readPassword(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== '-') return firstLine(await readWhole(file))
  if (process.stdin.isTTY) return promptTwice()
  if (file === '-') return firstLine(await text(process.stdin))
  throw new Failure(
    'cannot prompt for the password: standard input is not a terminal',
    'Pass --password-file with a file, or - for standard input.',
  )
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? ''

function readWhole(file: string) {
  return readFile(file, 'utf8').catch((error) => {
    throw new Failure(`--password-file: ${error.message}`)
  })
}

async function promptTwice(): Promise<string> {
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: noOutput, terminal: true })
  try {
    const password = await prompt(lines, 'Password: ')
    if ((await prompt(lines, 'Repeat password: ')) === password) return password
  } finally {
    lines.close()
  }
  throw new Failure('passwords do not match', 'Try again.')
}

async function prompt(lines: Interface, text: string): Promise<string> {
  const cancelled = new AbortController()
  lines.once('SIGINT', () => cancelled.abort()).once('close', () => cancelled.abort())
  process.stderr.write(text)
  try {
    return await lines.question('', { signal: cancelled.signal })
  } catch (cause) {
    throw new Failure('cancelled: nothing was changed', '', { cause })
  } finally {
    lines.removeAllListeners('SIGINT').removeAllListeners('close')
    process.stderr.write('\n')
  }
}
