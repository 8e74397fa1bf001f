import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { Failure } from '../failure.js'
import { copyTree } from './copy-tree.js'
import { copyFile, writeDurably } from './files.js'
import type { Counted, Manifest } from './manifest.js'

export type DatabaseBackup = Manifest['database'] & Pick<Manifest, 'installation' | 'madeOn'>

/** What is in these is of one run of PostgreSQL, and made anew by the next; the log is copied by itself. */
const ownRun = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
].map((folder) => `${folder}/`)
const ownFiles = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?)$/
const temporary = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*|\.s\.PGSQL[^/]*|[^/]*\.tmp)(\/|$)/
const control = 'global/pg_control'

const isWanted = (path: string) =>
  !ownRun.some((folder) => path.startsWith(folder)) &&
  !ownFiles.test(path) &&
  !temporary.test(path) &&
  path !== control

/**
 * Copies a database while it is written to, in the steps that PostgreSQL documents as its low-level API: all
 * that was committed before the end marker is in the copy. `client` is a session of a superuser, which is busy
 * with the backup from beginning to end.
 */
export async function backupDatabase(
  client: pg.Client,
  dataDir: string,
  to: string,
  signal: AbortSignal,
): Promise<DatabaseBackup> {
  const cluster = await describe(client)
  if (cluster.tablespaces > 0) {
    throw new Failure(
      'the database has tablespaces of its own, which a backup does not know',
      'Move what is in them to pg_default, and drop them.',
    )
  }
  // It keeps the log from being recycled until it is copied, and goes with the session.
  await client.query(`select pg_create_physical_replication_slot(
    'figbase_backup_' || pg_backend_pid(), immediately_reserve => true, temporary => true)`)
  const { rows: begun } = await client.query<{ begin: string }>(
    `select pg_backup_start('figbase', fast => true)::text as begin`,
  )
  const copied = await copyTree(dataDir, to, { wants: isWanted, signal })
  await writeDurably(join(to, control), await readWhole(join(dataDir, control)))
  const madeOn = new Date().toISOString()
  const { rows: ended } = await client.query<{ end: string; label: string }>(
    `select lsn::text as end, labelfile as label from pg_backup_stop(wait_for_archive => false)`,
  )
  const [{ begin } = { begin: '' }, { end, label } = { end: '', label: '' }] = [begun[0], ended[0]]
  await writeDurably(join(to, 'backup_label'), label)
  const log = await copyLog(client, dataDir, to, begin, end)
  const files = copied.files + log.files + 2
  const { postgres, installation } = cluster
  const small = Buffer.byteLength(label) + (await stat(join(to, control))).size
  return { files, bytes: copied.bytes + log.bytes + small, postgres, end, installation, madeOn }
}

async function describe(client: pg.Client) {
  const { rows } = await client.query<{
    postgres: string
    installation: string
    tablespaces: number
  }>(
    `select (current_setting('server_version_num')::int / 10000)::text as postgres,
            system_identifier::text as installation,
            (select count(*)::int from pg_tablespace
              where spcname not in ('pg_default', 'pg_global')) as tablespaces
       from pg_control_system()`,
  )
  const [row] = rows
  if (!row) throw new Error('PostgreSQL does not describe itself')
  return row
}

/** The write-ahead log from the beginning of the backup to its end marker: what was torn is mended by it. */
async function copyLog(
  client: pg.Client,
  dataDir: string,
  to: string,
  begin: string,
  end: string,
): Promise<Counted> {
  const { rows } = await client.query<{ name: string }>(
    `select pg_walfile_name('0/0'::pg_lsn + n * size + 1) as name
       from (select setting::numeric as size from pg_settings where name = 'wal_segment_size') s,
            generate_series(div($1::pg_lsn - '0/0', size), div($2::pg_lsn - '0/0' - 1, size)) n`,
    [begin, end],
  )
  const counted = { files: 0, bytes: 0 }
  for (const { name } of rows) {
    const bytes = await copyFile(join(dataDir, 'pg_wal', name), join(to, 'pg_wal', name))
    if (bytes === undefined) throw new Error(`PostgreSQL did not keep ${name} of its log`)
    counted.files++
    counted.bytes += bytes
  }
  return counted
}

const attemptsMax = 1000

/** A small file that is written as a whole now and then: as soon as it reads the same twice. */
async function readWhole(path: string): Promise<Buffer> {
  let before: Buffer | undefined
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const file = await open(path, 'r')
    const now = await file.readFile().finally(() => file.close())
    if (before?.equals(now)) return now
    before = now
  }
  throw new Error(`${path} never stands still`)
}
