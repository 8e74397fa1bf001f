import { readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listVolumes } from '@figbase/compute'
import type { Database } from '@figbase/kit/db'
import { SchemaOutdated } from '@figbase/kit/service'
import { collect, type Fsck, fsck, protectStorages } from '@figbase/revisions'
import pg from 'pg'
import { createDataDir } from '../data-dir.js'
import { lockDataDir } from '../data-dir-lock.js'
import { Failure } from '../failure.js'
import type { Host } from '../main.js'
import { textOf } from '../maintenance/fsck.js'
import { openInstallation } from '../maintenance/open-installation.js'
import { builtIn } from '../open-database.js'
import { chooseAccount } from '../postgres/account.js'
import { findBinaries } from '../postgres/binaries.js'
import { startPostgres } from '../postgres/embedded.js'
import { run } from '../postgres/run.js'
import { restoreMarkerName } from '../restore-marker.js'
import { readSettings, type Settings } from '../settings.js'
import { copyTree } from './copy-tree.js'
import { forEach, syncFolder, syncFolders, walk, writeDurably } from './files.js'
import { filesText } from './format.js'
import { type Counted, type Manifest, readManifest } from './manifest.js'
import { restoreVolumes, volumesDir } from './volumes.js'

export type RestoreOptions = { backup: string }

/** Restores a backup into an empty data directory; false when fsck finds problems in it. */
export async function runRestore(
  { backup }: RestoreOptions,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  const { dataDir } = settings
  const from = resolve(host.cwd, backup)
  const manifest = await readManifest(from)
  await requireCompatible(manifest, settings)
  await createDataDir(dataDir)
  await using _lock = await lockDataDir(dataDir)
  await requireEmpty(dataDir)
  const instances = volumesDir(host, dataDir)
  if (manifest.volumes) await requireNoInstances(instances)
  await writeDurably(join(dataDir, restoreMarkerName), `${from}\n`)
  await syncFolder(dataDir)
  await host.progress('Copying the backup', async () => {
    await copyAll(from, dataDir, manifest, signal)
    if (manifest.volumes) await copyVolumes(from, instances, manifest.volumes, signal)
  })
  const found = await host.progress('Checking what was restored', async () => {
    await using postgres = await startPostgres({ dataDir })
    await checkEnd(postgres.databaseUrl, manifest)
    return await collectAndCheck(settings, host, await builtIn(postgres.databaseUrl)(), manifest)
  })
  await rm(join(dataDir, restoreMarkerName))
  await syncFolder(dataDir)
  report(from, dataDir, manifest)
  if (found) console.log(textOf(found))
  return !found || found.findings.length === 0
}

/**
 * Deletes objects that were stored during the backup and have no rows in it, and runs fsck. Storages that the original
 * installation may still use are left unchanged. Undefined when the schema is not up to date: startup migrates it.
 */
async function collectAndCheck(
  settings: Settings,
  host: Host,
  database: Database,
  manifest: Manifest,
): Promise<Fsck | undefined> {
  const installation = await openInstallation(settings, host, database).catch((error) => {
    if (error instanceof Failure && error.cause instanceof SchemaOutdated) return undefined
    throw error
  })
  if (!installation) return undefined
  await using opened = installation
  await protectStorages(opened.db, { own: manifest.objects === null })
  await collect(opened, { graceMs: 0 })
  return await fsck(opened)
}

async function requireCompatible(
  { platform, database }: Manifest,
  { databaseUrl }: Settings,
): Promise<void> {
  if (databaseUrl) {
    throw new Failure(
      'restore supports the built-in PostgreSQL only, and DATABASE_URL is set',
      'Unset DATABASE_URL, and restore into an empty data directory.',
    )
  }
  const here = `${process.platform}-${process.arch}`
  if (platform !== here) {
    throw new Failure(
      `the backup is for ${platform}, and this machine is ${here}: database files are not portable`,
      `Restore it on a machine with ${platform}.`,
    )
  }
  const { output } = await run(findBinaries().postgres, ['--version'])
  const [, major = ''] = /(\d+)/.exec(output) ?? []
  if (major !== database.postgres) {
    throw new Failure(
      `the backup is for PostgreSQL ${database.postgres}, and this Figbase has ${major || output}`,
      'Restore it with the version of Figbase that created it.',
    )
  }
}

async function requireEmpty(dataDir: string): Promise<void> {
  const [first] = (await readdir(dataDir)).filter((name) => !/^lock(\.|$)/.test(name))
  if (first === undefined) return
  throw new Failure(
    `the data directory ${dataDir} is not empty: it contains ${first}`,
    'Set FIGBASE_DATA_DIR to a new or empty directory.',
  )
}

async function requireNoInstances(instances: string): Promise<void> {
  const [first] = await listVolumes(instances)
  if (first === undefined) return
  throw new Failure(
    `${instances} is not empty: it contains the instance ${first}`,
    'Set COMPUTE_LOCAL_DIR to a new or empty directory.',
  )
}

async function copyVolumes(from: string, to: string, { files }: Counted, signal: AbortSignal) {
  const restored = await restoreVolumes(join(from, 'volumes'), to, signal)
  if (restored === files) return
  throw new Failure(
    `the backup is damaged: it has the files of ${restored} instances, expected ${files}`,
    'Empty the data directory, and restore another backup.',
  )
}

async function copyAll(from: string, dataDir: string, manifest: Manifest, signal: AbortSignal) {
  const copy = async (part: string, to: string, expected: Counted) => {
    const { files, bytes } = await copyTree(join(from, part), to, { signal })
    if (files === expected.files && bytes === expected.bytes) return
    throw new Failure(
      `the backup is damaged: ${part} has ${filesText({ files, bytes })}, expected ${filesText(expected)}`,
      'Empty the data directory, and restore another backup.',
    )
  }
  await copy('files', dataDir, manifest.files)
  if (manifest.objects) await copy('objects', join(dataDir, 'objects'), manifest.objects)
  // Under a temporary name until it is complete, like a new cluster.
  const draft = join(dataDir, 'postgres.new')
  await copy('database', draft, manifest.database)
  await chownCluster(draft)
  await syncFolders(dataDir)
  await rename(draft, join(dataDir, 'postgres'))
  await syncFolder(dataDir)
}

/** Changes the owner to the user who runs PostgreSQL. */
async function chownCluster(cluster: string): Promise<void> {
  const { chown } = await chooseAccount(cluster, findBinaries())
  await forEach(walk(cluster), 8, ({ path }) => chown(join(cluster, path)))
}

/** Checks that PostgreSQL has replayed the log up to the end of the backup. */
async function checkEnd(databaseUrl: string, { database }: Manifest): Promise<void> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ reached: boolean }>(
      'select pg_current_wal_lsn() >= $1::pg_lsn as reached',
      [database.end],
    )
    if (rows[0]?.reached) return
  } finally {
    await client.end()
  }
  throw new Failure(
    'the backup is damaged: its write-ahead log is incomplete',
    'Empty the data directory, and restore another backup.',
  )
}

function report(from: string, dataDir: string, { madeOn, objects }: Manifest): void {
  console.log(
    [
      `restored ${from} of ${madeOn} into ${dataDir}`,
      ...(objects
        ? []
        : ['  The objects are not in the backup: they are in the store of S3_ENDPOINT.']),
    ].join('\n'),
  )
}
