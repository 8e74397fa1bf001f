import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { holdDeletions, openSession } from '@figbase/kit'
import type pg from 'pg'
import { makeOrExplain } from '../data-dir.js'
import { codeOf, Failure } from '../failure.js'
import type { Host } from '../main.js'
import { openDatabase, requireInstallation } from '../open-database.js'
import { readSettings, type Settings } from '../settings.js'
import { type Copied, copyTree } from './copy-tree.js'
import { backupDatabase } from './database.js'
import { syncFolders, writeDurably } from './files.js'
import { filesText } from './format.js'
import { type Manifest, manifestName } from './manifest.js'
import { openShelf, type Shelf, type Shelved } from './shelf.js'

export type BackupCommand = {
  name: 'backup'
  dir: string
  /** How many are left in the directory; undefined: all. */
  keep?: number | undefined
}

/** Makes a backup of the installation, whether or not Figbase runs. */
export async function runBackup(
  { dir, keep }: BackupCommand,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const settings = readSettings(host.env, host.cwd, host.root)
  refuseExternal(settings)
  await requireInstallation(settings)
  const root = await openRoot(resolve(host.cwd, dir), settings.dataDir)
  await using database = await openDatabase(settings, host)
  await using session = await openSession(await database.of(), 'figbase backup')
  const { client } = session
  if (!(await holdDeletions(session))) {
    throw new Failure(
      'another backup is being made, or the secret is being changed',
      'Wait until it has ended.',
    )
  }
  const shelf = openShelf(root, await installationOf(client))
  const swept = await shelf.sweep()
  if (swept > 0) console.log(`removed what ${swept} interrupted backup(s) had left`)
  const [previous] = await shelf.list()
  const made = await fill(shelf, previous, { client, settings, host, signal })
  const pruned = keep === undefined ? 0 : await shelf.prune(keep)
  report(made, previous)
  if (pruned > 0) console.log(`  removed   ${pruned} older (--keep ${keep})`)
}

function refuseExternal({ databaseUrl }: Settings): void {
  if (!databaseUrl) return
  throw new Failure(
    'DATABASE_URL names a PostgreSQL that is not ours: backup is for the built-in one',
    'Use pg_dump for the database, and copy objects and secret-key of the data directory after it.',
  )
}

async function openRoot(root: string, dataDir: string): Promise<string> {
  const way = relative(await realpath(dataDir), await realpathToBe(root))
  if (way !== '..' && !way.startsWith(`..${sep}`)) {
    throw new Failure(
      `${root} is inside the data directory ${dataDir}`,
      'A backup belongs on another disk, at least into another directory.',
    )
  }
  await makeOrExplain(root, 'the directory of the backups', 'Choose another directory.')
  return root
}

/** Without symbolic links, also of what is not there yet. */
async function realpathToBe(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
    return join(await realpathToBe(dirname(path)), basename(path))
  }
}

async function installationOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return rows[0]?.id ?? ''
}

type Made = { path: string; manifest: Manifest; objects: Copied | null }
type Tools = { client: pg.Client; settings: Settings; host: Host; signal: AbortSignal }

async function fill(shelf: Shelf, previous: Shelved | undefined, tools: Tools): Promise<Made> {
  const { client, settings, host, signal } = tools
  const { dataDir } = settings
  const draft = await shelf.begin(new Date())
  const into = (name: string) => join(draft.dir, name)
  const before = (name: string) => previous && join(previous.dir, name)
  try {
    const { installation, madeOn, ...database } = await host.progress('Copying the database', () =>
      backupDatabase(client, join(dataDir, 'postgres'), into('database'), signal),
    )
    // After the database: what its rows speak of was stored before they were written.
    const objects = host.env.S3_ENDPOINT
      ? null
      : await host.progress('Copying objects', () =>
          copyTree(join(dataDir, 'objects'), into('objects'), {
            wants: (path) => path.split(sep)[0] !== '.incoming',
            previous: before('objects'),
            signal,
          }),
        )
    const files = await copyTree(dataDir, into('files'), { wants: isKept, signal })
    const manifest: Manifest = {
      format: 1,
      madeOn,
      platform: `${process.platform}-${process.arch}`,
      installation,
      database,
      objects: objects && { files: objects.files, bytes: objects.bytes },
      files: { files: files.files, bytes: files.bytes },
    }
    await writeDurably(into(manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`)
    await syncFolders(draft.dir)
    // While the session lives, nothing was deleted.
    await client.query('select 1')
    signal.throwIfAborted()
    return { path: await draft.complete(), manifest, objects }
  } catch (error) {
    await draft.discard().catch(() => {})
    throw error
  }
}

/** The database and the objects have places of their own; the others are of a run. */
const notKept = /^(postgres|postgres\.new|objects|url|lock(\..*)?|postgres\.log(\.1)?|.*\.new)$/

const isKept = (path: string) => !notKept.test(path.split(sep)[0] ?? '')

function report({ path, manifest, objects }: Made, previous: Shelved | undefined): void {
  const lines = [`the backup is complete: ${path}`, `  database  ${filesText(manifest.database)}`]
  if (objects) {
    const same = {
      files: objects.files - objects.fresh.files,
      bytes: objects.bytes - objects.fresh.bytes,
    }
    const old = same.files > 0 && previous ? `, ${filesText(same)} as in ${previous.name}` : ''
    lines.push(`  objects   ${filesText(objects.fresh)} copied${old}`)
  } else {
    lines.push(
      '  objects   are not in it: S3_ENDPOINT says where they are',
      '            Keep them there by what that store offers: versions of objects, or a replica.',
    )
  }
  lines.push(`  files     ${filesText(manifest.files)}: the secret key, and what else is kept`)
  lines.push('  Whoever can read it can read everything: it has the secret key.')
  console.log(lines.join('\n'))
}
