import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, Failure } from '../failure.js'
import { type Account, chooseAccount } from './account.js'
import { type Binaries, findBinaries } from './binaries.js'
import { run } from './run.js'

/** A PostgreSQL data directory, and the account that runs its server. */
export type Cluster = { dir: string; account: Account; binaries: Binaries; password: string }

export const superuser = 'figbase'

/** Opens the cluster of a data directory; creates it at the first start. */
export async function openCluster(dataDir: string, sync: boolean): Promise<Cluster> {
  const binaries = findBinaries()
  const dir = join(dataDir, 'postgres')
  const passwordFile = join(dataDir, 'postgres-password')
  if (!(await exists(dir))) await createCluster(dir, passwordFile, binaries, sync)
  const account = await chooseAccount(dir, binaries)
  return { dir, account, binaries, password: (await readFile(passwordFile, 'utf8')).trim() }
}

// Created under a temporary name: an interrupted start never leaves a partial cluster.
async function createCluster(dir: string, passwordFile: string, binaries: Binaries, sync: boolean) {
  const draft = `${dir}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const account = await chooseAccount(draft, binaries)
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  await account.chown(passwordFile)
  const { code, output } = await initdb(draft, passwordFile, account, binaries, sync)
  if (code !== 0) throw new Failure(`PostgreSQL's initdb failed:\n${output.trim()}`)
  await rename(draft, dir)
}

// The built-in C.UTF-8 sorts by code point and maps the case of all letters in the same way on all machines. Locales of
// the operating system change between its versions, which corrupts indexes.
function initdb(dir: string, pwfile: string, account: Account, bin: Binaries, sync: boolean) {
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${pwfile}`]
  const args = ['-D', dir, '-U', superuser, '--encoding=UTF8', ...locale, ...auth]
  if (!sync) args.push('--no-sync')
  const [command = bin.initdb, ...rest] = [...account.prefix, bin.initdb, ...args]
  return run(command, rest, account.options)
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
