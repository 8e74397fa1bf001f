import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, Failure } from './failure.js'

const keyBytes = 32

/** The key that signs and encrypts, made at the first start and never changed. */
export async function readSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  const key = (await readIfThere(file)) ?? (await makeKey(file))
  if (Buffer.from(key, 'base64').length === keyBytes) return key
  throw new Failure(
    `${file} does not hold ${keyBytes} bytes in base64`,
    'Restore it from a backup.',
  )
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

// Linked into place when complete and on disk: a crash never leaves half a key behind.
async function makeKey(file: string): Promise<string> {
  const key = randomBytes(keyBytes).toString('base64')
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await link(draft, file)
  await rm(draft)
  return key
}
