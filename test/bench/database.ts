import { join } from 'node:path'
import pg from 'pg'
import type { Product } from './product.js'

/**
 * The URL of a database on the PostgreSQL server of the product, which its owner can access without a password through
 * a socket in the data directory.
 */
export function urlOf({ dataDir }: Product, database: string): string {
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  return `postgres://figbase@localhost/${database}?host=${host}`
}

/** Creates a database on the server of the product, and returns its URL. */
export async function createDatabase(product: Product, name: string): Promise<string> {
  await run(urlOf(product, 'postgres'), `create database ${name}`)
  return urlOf(product, name)
}

export async function run(url: string, text: string, values?: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
