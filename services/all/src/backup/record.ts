import type pg from 'pg'
import type { Manifest } from './manifest.js'

/** Writes down when and where a backup was made, for the page of administrators. */
export async function recordBackup(
  client: pg.Client,
  path: string,
  { madeOn, database, objects, files, volumes }: Manifest,
): Promise<void> {
  // The database may be older than the table.
  const { rows } = await client.query<{ is_known: boolean }>(
    `select to_regclass('identity.backup') is not null as is_known`,
  )
  if (!rows[0]?.is_known) return
  const bytes = database.bytes + files.bytes + (objects?.bytes ?? 0) + (volumes?.bytes ?? 0)
  await client.query(
    `insert into identity.backup (created_on, path, bytes) values ($1, $2, $3)
     on conflict (created_on) do nothing`,
    [madeOn, path, bytes],
  )
}
