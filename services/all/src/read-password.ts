import { readFile } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Failure } from './failure.js'

/** Of a file, of standard input (`-`), or of whoever sits at the terminal; never of the command line, which all see. */
export async function readPassword(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== '-') return firstLine(await readWhole(file))
  if (process.stdin.isTTY) return askTwice()
  if (file === '-') return firstLine(await text(process.stdin))
  throw new Failure(
    'there is no terminal to ask for the password',
    'Name a file that has it with --password-file, or - for standard input.',
  )
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? ''

function readWhole(file: string) {
  return readFile(file, 'utf8').catch((error) => {
    throw new Failure(`--password-file: ${error.message}`)
  })
}

async function askTwice(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    const password = await ask(lines, 'Password: ')
    if ((await ask(lines, 'Again: ')) === password) return password
  } finally {
    lines.close()
  }
  throw new Failure('the two are not the same', 'Try again.')
}

async function ask(lines: Interface, prompt: string): Promise<string> {
  const left = new AbortController()
  lines.once('SIGINT', () => left.abort()).once('close', () => left.abort())
  process.stderr.write(prompt)
  try {
    return await lines.question('', { signal: left.signal })
  } catch (cause) {
    throw new Failure('nothing was changed', '', { cause })
  } finally {
    lines.removeAllListeners('SIGINT').removeAllListeners('close')
    process.stderr.write('\n')
  }
}
