import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../failure.js'

const pollMs = 10
// The server is not listening yet, or is starting up (which is slow during crash recovery).
const notYet = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03']

/** Waits until the server accepts connections; false when it ended instead. */
export async function accepts(url: string, end: Promise<void>): Promise<boolean> {
  let ended = false
  end.then(() => {
    ended = true
  })
  while (!ended) {
    if (await answers(url)) return true
    await sleep(pollMs)
  }
  return false
}

export async function createDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'))
    return true
  } catch (error) {
    if (notYet.includes(codeOf(error)) || isTerminated(error)) return false
    throw error
  }
}

// pg has no error code for a connection that ends before the first response.
const isTerminated = (error: unknown) => error instanceof Error && /terminated/.test(error.message)

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
