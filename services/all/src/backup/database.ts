import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { Failure } from '../failure.js'
import { copyTree } from './copy-tree.js'
import { copyFile, writeDurably } from './files.js'
import type { Counted, Manifest } from './manifest.js'

export type DatabaseBackup = Manifest['database'] & Pick<Manifest, 'installation' | 'madeOn'>

/** Directories that PostgreSQL recreates at each start; the write-ahead log is copied separately. */
const runtimeFolders = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
].map((folder) => `${folder}/`)
const runtimeFiles = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?)$/
const temporary = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*|\.s\.PGSQL[^/]*|[^/]*\.tmp)(\/|$)/
const control = 'global/pg_control'

const isWanted = (path: string) =>
  !runtimeFolders.some((folder) => path.startsWith(folder)) &&
  !runtimeFiles.test(path) &&
  !temporary.test(path) &&
  path !== control

/**
 * Copies a database while it is in use, following PostgreSQL's low-level backup API: the copy contains all that was
 * committed before the end marker. `client` is a superuser session used only for the backup.
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
      'backup does not support additional tablespaces',
      'Move their tables to pg_default, and drop them.',
    )
  }
  // Prevents the log from being recycled before it is copied; dropped with the session.
  await client.query(`select pg_create_physical_replication_slot(
    'figbase_backup_' || pg_backend_pid(), immediately_reserve => true, temporary => true)`)
  const { rows: begun } = await client.query<{ begin: string }>(
    `select pg_backup_start('figbase', fast => true)::text as begin`,
  )
  const copied = await copyTree(dataDir, to, { wants: isWanted, signal })
  await writeDurably(join(to, control), await readStable(join(dataDir, control)))
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
  if (!row) throw new Error('pg_control_system returned no row')
  return row
}

/** Copies the write-ahead log from the start of the backup to its end marker; its replay repairs torn pages. */
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
    if (bytes === undefined) throw new Error(`PostgreSQL removed the log file ${name}`)
    counted.files++
    counted.bytes += bytes
  }
  return counted
}

const attemptsMax = 1000

/** Reads a small file that is rewritten now and then, until two reads are equal. */
async function readStable(path: string): Promise<Buffer> {
  let before: Buffer | undefined
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const file = await open(path, 'r')
    const now = await file.readFile().finally(() => file.close())
    if (before?.equals(now)) return now
    before = now
  }
  throw new Error(`${path} keeps changing`)
}
