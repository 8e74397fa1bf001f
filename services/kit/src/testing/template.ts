import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrateAll, schemasOf } from '../db/migrate-all.js'
import type { Service } from '../service.js'
import { createTestDatabase, databaseAt, databaseNamed, type TestDatabase } from './database.js'

/** A database of the test file's own, which has the schemas of a service already: a copy of one that is made once. */
export async function createServiceDatabase(
  service: Service,
  server: string | undefined = process.env.TEST_DATABASE_URL,
): Promise<TestDatabase> {
  return createTestDatabase(server, server && (await templateOf(service, server)))
}

/** The template of this version of the schemas; whoever comes first makes it, and the others wait. */
async function templateOf(service: Service, server: string): Promise<string> {
  const schemas = schemasOf([service], {})
  const hash = createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16)
  const name = `test_template_${service.name.replaceAll('-', '_')}_${hash}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    if (await isMade(client, name)) return name
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    if (await isMade(client, name)) return name
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} strategy file_copy`)
    await migrateAll(async () => databaseAt(databaseNamed(server, name)), schemas)
    await client.query(`alter database ${name} is_template true`)
    return name
  } finally {
    await client.end()
  }
}

async function isMade(client: pg.Client, name: string): Promise<boolean> {
  const text = 'select from pg_database where datname = $1 and datistemplate'
  return (await client.query(text, [name])).rowCount === 1
}
