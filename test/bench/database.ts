import { join } from 'node:path'
import pg from 'pg'
import type { Product } from './product.js'

/**
 * A database on the product's own server, which lets its owner in without a password, by a socket
 * in its directory.
 */
export function urlOf({ dataDir }: Product, database: string): string {
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  return `postgres://figbase@localhost/${database}?host=${host}`
}

/** A database of its own beside the product's; answers its address. */
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
