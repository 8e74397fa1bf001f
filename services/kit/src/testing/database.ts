import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../db/resolve-database.js'

export type TestDatabase = AsyncDisposable & { url: string }

/**
 * Creates a database for a test file, by default on the test runner's server; empty or a copy of `template`.
 */
export async function createTestDatabase(
  server: string | undefined = process.env.TEST_DATABASE_URL,
  template = 'template1',
): Promise<TestDatabase> {
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run the tests with npm test')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // The default strategy, which writes the copy to the WAL, takes ten times as long here.
  await runSql(server, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseNamed(server, name),
    async [Symbol.asyncDispose]() {
      await runSql(server, `drop database if exists ${name} with (force)`)
    },
  }
}

/** URL of another database of the same server. */
export function databaseNamed(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A database without a pooler. */
export const databaseAt = (url: string): Database => ({ url, isPooled: false, directUrl: url })

/** Runs SQL on a new connection. */
export async function runSql(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
