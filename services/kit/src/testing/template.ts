import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrateAll, schemasOf } from '../migrations/migrate-all.js'
import type { Service } from '../service/service.js'
import { createTestDatabase, databaseAt, databaseNamed, type TestDatabase } from './database.js'

/** Creates a database for a test file with the schemas of a service, as a copy of a shared template. */
export async function createServiceDatabase(
  service: Service,
  server: string | undefined = process.env.TEST_DATABASE_URL,
): Promise<TestDatabase> {
  return createTestDatabase(server, server && (await templateOf(service, server)))
}

/** The template database of this version of the schemas; the first caller creates it while the others wait. */
async function templateOf(service: Service, server: string): Promise<string> {
  const schemas = schemasOf([service], {})
  const hash = createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16)
  const name = `test_template_${service.name.replaceAll('-', '_')}_${hash}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    if (await isComplete(client, name)) return name
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    if (await isComplete(client, name)) return name
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} strategy file_copy`)
    await migrateAll(async () => databaseAt(databaseNamed(server, name)), schemas)
    await client.query(`alter database ${name} is_template true`)
    return name
  } finally {
    await client.end()
  }
}

async function isComplete(client: pg.Client, name: string): Promise<boolean> {
  const text = 'select from pg_database where datname = $1 and datistemplate'
  return (await client.query(text, [name])).rowCount === 1
}
