import { createTestDatabase, runSql, type TestDatabase } from '@figbase/kit/testing'
import { program } from './author.js'
import { Launched } from './launched.js'
import { oncePerRun, sharedDir } from './once-per-run.js'

const template = 'figbase_migrated'

/** A database without rows that is migrated for the product, which saves the second that its first start takes for that. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: server } = process.env
  if (!sharedDir || !server) return createTestDatabase()
  await oncePerRun('migrated-database', async (dataDir) => {
    await runSql(server, `drop database if exists ${template}`)
    await runSql(server, `create database ${template}`)
    const url = new URL(server)
    url.pathname = `/${template}`
    const env = { DATABASE_URL: url.href }
    const migrating = new Launched({ dataDir, args: ['migrate'], env }, program)
    if ((await migrating.ended) !== 0) throw new Error(migrating.output)
  })
  return createTestDatabase(server, template)
}
