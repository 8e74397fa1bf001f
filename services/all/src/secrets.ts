import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from './backup/files.js'
import { codeOf, Failure } from './failure.js'

/** What all keys are derived from: what signs and encrypts, and those before it, which still are accepted. */
export type Secrets = { current: string; previous: string[] }

const secretBytes = 32
const fileName = 'secret-key'

/** Those of a data directory, a line each, the current one first; made at the first start. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, fileName)
  const text = (await readIfThere(file)) ?? (await makeFile(file))
  const [current, ...previous] = text.split('\n')
  if (current !== undefined && [current, ...previous].every(isSecret)) return { current, previous }
  throw new Failure(
    `${file} does not hold ${secretBytes} bytes in base64 on each line`,
    'Restore it from a backup.',
  )
}

/** Puts them in place of those that were: a crash leaves either, whole. */
export async function writeSecrets(dataDir: string, { current, previous }: Secrets): Promise<void> {
  const draft = await writeDraft(join(dataDir, fileName), [current, ...previous])
  await rename(draft, join(dataDir, fileName))
  await syncFolder(dataDir)
}

export const newSecret = (): string => randomBytes(secretBytes).toString('base64')

/** As the processes of the product are told them. */
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

// `link` replaces nothing: of two first starts, one makes it.
async function makeFile(file: string): Promise<string> {
  const secret = newSecret()
  const draft = await writeDraft(file, [secret])
  await link(draft, file)
  await rm(draft)
  return secret
}

// Its name keeps it out of backups.
async function writeDraft(file: string, lines: string[]): Promise<string> {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeDurably(draft, `${lines.join('\n')}\n`)
  return draft
}
