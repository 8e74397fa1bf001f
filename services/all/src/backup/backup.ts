import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { openSession } from '@figbase/kit/db'
import { lockDeletions } from '@figbase/kit/objects'
import type pg from 'pg'
import { bytesText } from '../bytes-text.js'
import { createDirectoryOrFail } from '../data-dir.js'
import { codeOf, Failure } from '../failure.js'
import type { Host } from '../main.js'
import { openDatabase, requireInstallation } from '../open-database.js'
import { readSettings, type Settings } from '../settings.js'
import { type BackupDirectory, openBackupDirectory, type StoredBackup } from './backup-directory.js'
import { type Copied, copyTree } from './copy-tree.js'
import { backupDatabase } from './database.js'
import { syncFolders, writeDurably } from './files.js'
import { filesText } from './format.js'
import { type Manifest, manifestName } from './manifest.js'
import { recordBackup } from './record.js'
import { backupVolumes, requireLocalVolumes, volumesDir } from './volumes.js'

export type BackupOptions = {
  dir: string
  /** How many backups to keep in the directory; undefined: all. */
  keep?: number | undefined
  /** Whether to copy the files of notebooks, too. */
  withVolumes: boolean
}

/** Creates a backup of the installation, whether or not Figbase runs. */
export async function runBackup(
  { dir, keep, withVolumes }: BackupOptions,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const settings = readSettings(host.env, host.cwd, host.root)
  requireBuiltIn(settings)
  if (withVolumes) requireLocalVolumes(host)
  await requireInstallation(settings)
  const root = await openBackupRoot(resolve(host.cwd, dir), settings.dataDir)
  await using database = await openDatabase(settings, host)
  await using session = await openSession(await database.of(), 'figbase backup')
  const { client } = session
  if (!(await lockDeletions(session))) {
    throw new Failure('another backup or rotate-keys is running', 'Wait until it has finished.')
  }
  const directory = openBackupDirectory(root, await installationOf(client))
  const incomplete = await directory.removeIncomplete()
  if (incomplete > 0) console.log(`removed ${incomplete} incomplete backup(s)`)
  const [previous] = await directory.list()
  const tools = { client, settings, host, signal, withVolumes }
  const created = await createBackup(directory, previous, tools)
  const pruned = keep === undefined ? 0 : await directory.prune(keep)
  report(created, previous)
  if (pruned > 0) console.log(`  removed   ${pruned} older backups (--keep ${keep})`)
}

function requireBuiltIn({ databaseUrl }: Settings): void {
  if (!databaseUrl) return
  throw new Failure(
    'backup supports the built-in PostgreSQL only, and DATABASE_URL is set',
    'Use pg_dump for the database, then copy objects and secret-key from the data directory.',
  )
}

async function openBackupRoot(root: string, dataDir: string): Promise<string> {
  const path = relative(await realpath(dataDir), await realpathOfNew(root))
  if (path !== '..' && !path.startsWith(`..${sep}`)) {
    throw new Failure(
      `${root} is inside the data directory ${dataDir}`,
      'Choose another directory, preferably on another disk.',
    )
  }
  await createDirectoryOrFail(root, 'the backup directory', 'Choose another directory.')
  return root
}

/** Like realpath, also for a path that does not exist yet. */
async function realpathOfNew(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
    return join(await realpathOfNew(dirname(path)), basename(path))
  }
}

async function installationOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return rows[0]?.id ?? ''
}

type Created = { path: string; manifest: Manifest; objects: Copied | null }
type Tools = {
  client: pg.Client
  settings: Settings
  host: Host
  signal: AbortSignal
  withVolumes: boolean
}

async function createBackup(
  directory: BackupDirectory,
  previous: StoredBackup | undefined,
  tools: Tools,
): Promise<Created> {
  const { client, settings, host, signal, withVolumes } = tools
  const { dataDir } = settings
  const draft = await directory.begin(new Date())
  const into = (name: string) => join(draft.dir, name)
  const before = (name: string) => previous && join(previous.dir, name)
  try {
    const { installation, madeOn, ...database } = await host.progress('Copying the database', () =>
      backupDatabase(client, join(dataDir, 'postgres'), into('database'), signal),
    )
    // Copied after the database: objects are stored before the rows that refer to them.
    const objects = host.env.S3_ENDPOINT
      ? null
      : await host.progress('Copying objects', () =>
          copyTree(join(dataDir, 'objects'), into('objects'), {
            wants: (path) => path.split(sep)[0] !== '.incoming',
            previous: before('objects'),
            signal,
          }),
        )
    const instances = volumesDir(host, dataDir)
    const wants = (path: string) => isIncluded(path) && join(dataDir, path) !== instances
    const files = await copyTree(dataDir, into('files'), { wants, signal })
    const volumes = withVolumes
      ? await host.progress('Copying the files of notebooks', () =>
          backupVolumes(instances, into('volumes'), signal),
        )
      : null
    const manifest: Manifest = {
      format: 1,
      madeOn,
      platform: `${process.platform}-${process.arch}`,
      installation,
      database,
      objects: objects && { files: objects.files, bytes: objects.bytes },
      files: { files: files.files, bytes: files.bytes },
      volumes,
    }
    await writeDurably(into(manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`)
    await syncFolders(draft.dir)
    // Fails if the session was lost, since objects may have been deleted then.
    await client.query('select 1')
    signal.throwIfAborted()
    const path = await draft.complete()
    await recordBackup(client, path, manifest)
    return { path, manifest, objects }
  } catch (error) {
    await draft.discard().catch(() => {})
    throw error
  }
}

/** Copied separately (database, objects), recreated at each start, or files of notebooks. */
const excluded =
  /^(postgres|postgres\.new|objects|compute|url|lock(\..*)?|postgres\.log(\.1)?|.*\.new)$/

const isIncluded = (path: string) => !excluded.test(path.split(sep)[0] ?? '')

function report({ path, manifest, objects }: Created, previous: StoredBackup | undefined): void {
  const lines = [`the backup is complete: ${path}`, `  database  ${filesText(manifest.database)}`]
  if (objects) {
    const same = {
      files: objects.files - objects.written.files,
      bytes: objects.bytes - objects.written.bytes,
    }
    const old =
      same.files > 0 && previous ? `, ${filesText(same)} unchanged since ${previous.name}` : ''
    lines.push(`  objects   ${filesText(objects.written)} copied${old}`)
  } else {
    lines.push(
      '  objects   not included: they are in the store of S3_ENDPOINT',
      '            Protect them there, for example with object versioning or replication.',
    )
  }
  lines.push(
    `  files     ${filesText(manifest.files)}: the secret key and other files of the data directory`,
  )
  const { volumes } = manifest
  if (volumes) {
    lines.push(`  volumes   ${volumes.files} instances, ${bytesText(volumes.bytes)}`)
  }
  lines.push('  Protect the backup: it contains the secret key, which gives access to all data.')
  console.log(lines.join('\n'))
}
