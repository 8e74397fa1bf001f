import { join } from 'node:path'
import pg from 'pg'
import { until } from './launched.js'

/** Connects to the schema of a service in the built-in database of a running instance. */
export async function inDatabase<T>(
  dataDir: string,
  service: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  const client = new pg.Client({
    connectionString: `postgres://figbase@localhost/figbase?host=${host}`,
    options: `-c search_path=${service}`,
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Enqueues a periodic job now. */
export const beginJob = (dataDir: string, service: string, name: string): Promise<unknown> =>
  inDatabase(dataDir, service, (client) =>
    client.query(`select enqueue_job($1, null, '{}', null, 0, null, 3)`, [name]),
  )

/** Enqueues a periodic job, and waits until it has finished. */
export async function runJob(dataDir: string, service: string, name: string): Promise<void> {
  await beginJob(dataDir, service, name)
  await inDatabase(dataDir, service, (client) =>
    until(async () => {
      const { rowCount } = await client.query('select from job where name = $1', [name])
      return rowCount === 0
    }, name),
  )
}
