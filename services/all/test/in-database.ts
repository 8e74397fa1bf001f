import { join } from 'node:path'
import pg from 'pg'
import { until } from './launched.js'

/** The tables of a service of a running instance with a database of its own. */
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

/** Runs a job of the hour now. */
export const beginJob = (dataDir: string, service: string, name: string): Promise<unknown> =>
  inDatabase(dataDir, service, (client) =>
    client.query(`select enqueue_job($1, null, '{}', null, 0, null, 3)`, [name]),
  )

/** The same, and waits for its end. */
export async function runJob(dataDir: string, service: string, name: string): Promise<void> {
  await beginJob(dataDir, service, name)
  await inDatabase(dataDir, service, (client) =>
    until(async () => {
      const { rowCount } = await client.query('select from job where name = $1', [name])
      return rowCount === 0
    }, name),
  )
}
