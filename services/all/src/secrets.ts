import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from './backup/files.js'
import { codeOf, Failure } from './failure.js'

/** All keys are derived from these: the current secret signs and encrypts; previous ones are still accepted. */
export type Secrets = { current: string; previous: string[] }

const secretBytes = 32
const fileName = 'secret-key'

/** Reads the secrets of a data directory, one per line, the current one first; creates the file at the first start. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, fileName)
  const text = (await readIfThere(file)) ?? (await createFile(file))
  const [current, ...previous] = text.split('\n')
  if (current !== undefined && [current, ...previous].every(isSecret)) return { current, previous }
  throw new Failure(
    `${file} must have ${secretBytes} bytes in base64 on each line`,
    'Restore it from a backup.',
  )
}

/** Replaces the secrets atomically. */
export async function writeSecrets(dataDir: string, { current, previous }: Secrets): Promise<void> {
  const draft = await writeDraft(join(dataDir, fileName), [current, ...previous])
  await rename(draft, join(dataDir, fileName))
  await syncFolder(dataDir)
}

export const newSecret = (): string => randomBytes(secretBytes).toString('base64')

/** The environment variables for the processes of the product. */
export const secretsEnv = ({ current, previous }: Secrets): NodeJS.ProcessEnv => ({
  FIGBASE_SECRET_KEY: current,
  FIGBASE_SECRET_KEYS_PREVIOUS: previous.join(','),
})

const isSecret = (line: string) => Buffer.from(line, 'base64').length === secretBytes

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

// `link` does not replace a file: only one of two concurrent first starts creates it.
async function createFile(file: string): Promise<string> {
  const secret = newSecret()
  const draft = await writeDraft(file, [secret])
  await link(draft, file)
  await rm(draft)
  return secret
}

// Backups exclude files with this suffix.
async function writeDraft(file: string, lines: string[]): Promise<string> {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeDurably(draft, `${lines.join('\n')}\n`)
  return draft
}
