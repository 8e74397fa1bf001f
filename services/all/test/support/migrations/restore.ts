import pg from 'pg'
import { restoreRows } from './dump.js'
import type { Snapshot } from './snapshot.js'
import { upgrade } from './upgrade.js'

/** Restores the snapshot into an empty database: applies its migrations and inserts its rows. */
export async function restoreSnapshot(url: string, { schemas, dump }: Snapshot): Promise<void> {
  await upgrade(url, schemas)
  await withClient(url, (client) => restoreRows(client, dump))
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
