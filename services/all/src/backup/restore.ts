import { readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Database, SchemaBehind } from '@figbase/kit'
import { collect, type Fsck, fsck, holdStorages } from '@figbase/revisions'
import pg from 'pg'
import { makeDataDir } from '../data-dir.js'
import { Failure } from '../failure.js'
import { textOf } from '../keeping/fsck.js'
import { openInstallation } from '../keeping/open.js'
import { lockDataDir } from '../lock.js'
import type { Host } from '../main.js'
import { builtIn } from '../open-database.js'
import { chooseAccount } from '../postgres/account.js'
import { findBinaries } from '../postgres/binaries.js'
import { startPostgres } from '../postgres/embedded.js'
import { run } from '../postgres/run.js'
import { restoringMark } from '../restoring.js'
import { readSettings, type Settings } from '../settings.js'
import { copyTree } from './copy-tree.js'
import { forEach, syncFolder, syncFolders, walk, writeDurably } from './files.js'
import { filesText } from './format.js'
import { type Counted, type Manifest, readManifest } from './manifest.js'

export type RestoreCommand = { name: 'restore'; backup: string }

/** Makes an installation of a backup, in an empty data directory; false when fsck finds something in it. */
export async function runRestore(
  { backup }: RestoreCommand,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  const { dataDir } = settings
  const from = resolve(host.cwd, backup)
  const manifest = await readManifest(from)
  await refuse(manifest, settings)
  await makeDataDir(dataDir)
  await using _lock = await lockDataDir(dataDir)
  await refuseFull(dataDir)
  await writeDurably(join(dataDir, restoringMark), `${from}\n`)
  await syncFolder(dataDir)
  await host.progress('Copying the backup', () => copyAll(from, dataDir, manifest, signal))
  const found = await host.progress('Checking what was restored', async () => {
    await using postgres = await startPostgres({ dataDir })
    await checkEnd(postgres.databaseUrl, manifest)
    return await settle(settings, host, await builtIn(postgres.databaseUrl)(), manifest)
  })
  await rm(join(dataDir, restoringMark))
  await syncFolder(dataDir)
  report(from, dataDir, manifest)
  if (found) console.log(textOf(found))
  return !found || found.findings.length === 0
}

/**
 * What was stored while the backup was made, and is in none of its rows, goes. Where the objects of others are
 * reached from this copy, too, nothing is deleted. Undefined: a database that has never been Figbase's, or is
 * of an older one, which its first start brings up to date.
 */
async function settle(
  settings: Settings,
  host: Host,
  database: Database,
  manifest: Manifest,
): Promise<Fsck | undefined> {
  const keeping = await openInstallation(settings, host, database).catch((error) => {
    if (error instanceof Failure && error.cause instanceof SchemaBehind) return undefined
    throw error
  })
  if (!keeping) return undefined
  await using opened = keeping
  await holdStorages(opened.db, { own: manifest.objects === null })
  await collect(opened, { graceMs: 0 })
  return await fsck(opened)
}

async function refuse({ platform, database }: Manifest, { databaseUrl }: Settings): Promise<void> {
  if (databaseUrl) {
    throw new Failure(
      'DATABASE_URL names a PostgreSQL that is not ours: restore is for the built-in one',
      'Leave the setting out, and restore into an empty data directory.',
    )
  }
  const here = `${process.platform}-${process.arch}`
  if (platform !== here) {
    throw new Failure(
      `the backup was made on ${platform}, and this is ${here}: databases do not move between them`,
      `Restore it on a machine with ${platform}.`,
    )
  }
  const { output } = await run(findBinaries().postgres, ['--version'])
  const [, major = ''] = /(\d+)/.exec(output) ?? []
  if (major !== database.postgres) {
    throw new Failure(
      `the backup is of PostgreSQL ${database.postgres}, and this Figbase brings ${major || output}`,
      'Restore it with the version of Figbase that made it.',
    )
  }
}

async function refuseFull(dataDir: string): Promise<void> {
  const [first] = (await readdir(dataDir)).filter((name) => !/^lock(\.|$)/.test(name))
  if (first === undefined) return
  throw new Failure(
    `the data directory ${dataDir} is not empty: there is ${first}`,
    'FIGBASE_DATA_DIR names the directory to restore into, a new or an empty one.',
  )
}

async function copyAll(from: string, dataDir: string, manifest: Manifest, signal: AbortSignal) {
  const copy = async (part: string, to: string, expected: Counted) => {
    const { files, bytes } = await copyTree(join(from, part), to, { signal })
    if (files === expected.files && bytes === expected.bytes) return
    throw new Failure(
      `the backup is damaged: ${part} has ${filesText({ files, bytes })} in place of ${filesText(expected)}`,
      'Empty the data directory, and restore another backup.',
    )
  }
  await copy('files', dataDir, manifest.files)
  if (manifest.objects) await copy('objects', join(dataDir, 'objects'), manifest.objects)
  // Under another name until it is whole: as a cluster that is being made.
  const draft = join(dataDir, 'postgres.new')
  await copy('database', draft, manifest.database)
  await giveAway(draft)
  await syncFolders(dataDir)
  await rename(draft, join(dataDir, 'postgres'))
  await syncFolder(dataDir)
}

/** To the user who runs PostgreSQL. */
async function giveAway(cluster: string): Promise<void> {
  const { owns } = await chooseAccount(cluster, findBinaries())
  await forEach(walk(cluster), 8, ({ path }) => owns(join(cluster, path)))
}

/** PostgreSQL has brought the copy to what it was at the end of the backup, by the log that came with it. */
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
    'the backup is damaged: the log of its database ends before the backup did',
    'Empty the data directory, and restore another backup.',
  )
}

function report(from: string, dataDir: string, { madeOn, objects }: Manifest): void {
  console.log(
    [
      `restored what ${from} has, of ${madeOn}, into ${dataDir}`,
      ...(objects ? [] : ['  The objects are not in the backup: they are where S3_ENDPOINT says.']),
    ].join('\n'),
  )
}
