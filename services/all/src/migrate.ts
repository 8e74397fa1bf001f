import { migrateAll, missingMigrations, schemasOf } from '@figbase/kit'
import { services } from './all-in-one.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readSettings } from './settings.js'

export type MigrateCommand = {
  name: 'migrate'
  /** Only tells what is missing. */
  check: boolean
}

/** Brings the database to this version, beside what runs; false when `check` finds that something is missing. */
export async function runMigrate({ check }: MigrateCommand, host: Host): Promise<boolean> {
  await using database = await openDatabase(readSettings(host.env, host.cwd, host.root), host)
  const schemas = schemasOf(services, host.env)
  const work = check ? missingMigrations : migrateAll
  const missing = await host.progress('Migrating', () => work(database.of, schemas))
  for (const name of missing) console.log(`${check ? 'missing' : 'applied'} ${name}`)
  const isDone = check && missing.length > 0 ? 'not ' : ''
  console.log(`the database is ${isDone}of this version`)
  return !check || missing.length === 0
}
