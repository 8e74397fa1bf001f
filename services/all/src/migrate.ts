import { migrateAll, missingMigrations, schemasOf } from '@figbase/kit/migrations'
import { services } from './all-in-one.js'
import type { Host } from './main.js'
import { openDatabase } from './open-database.js'
import { readSettings } from './settings.js'

export type MigrateOptions = {
  /** Only lists the missing migrations. */
  check: boolean
}

/** Migrates the database schema, also while Figbase runs; false when `check` finds missing migrations. */
export async function runMigrate({ check }: MigrateOptions, host: Host): Promise<boolean> {
  await using database = await openDatabase(readSettings(host.env, host.cwd, host.root), host)
  const schemas = schemasOf(services, host.env)
  const work = check ? missingMigrations : migrateAll
  const missing = await host.progress('Migrating', () => work(database.of, schemas))
  for (const name of missing) console.log(`${check ? 'missing' : 'applied'} ${name}`)
  const not = check && missing.length > 0 ? 'not ' : ''
  console.log(`the database schema is ${not}up to date`)
  return !check || missing.length === 0
}
