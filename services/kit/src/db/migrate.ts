import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ConfigError } from '../config.js'

/** Forward only, plain DDL; `inTransaction: false` for what PostgreSQL refuses inside one. */
export type Migration = { name: string; sql: string; inTransaction?: false }

/** Brings a service's schema up to date. Replicas that start together wait for each other. */
export async function migrate(pool: pg.Pool, schema: string, migrations: Migration[]) {
  const client = await pool.connect().catch((cause) => {
    throw new ConfigError(`DATABASE_URL: the database cannot be used: ${cause.message || cause}`, {
      cause,
    })
  })
  try {
    await lock(client, schema)
    await client.query(`create schema if not exists "${schema}"`)
    await client.query(
      `create table if not exists migration (
         name text constraint migration_pkey primary key,
         applied_on timestamptz not null default now()
       )`,
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const applied = new Set(rows.map((row) => row.name))
    for (const migration of migrations) {
      if (!applied.has(migration.name)) await apply(client, migration)
    }
  } finally {
    await client
      .query(`select pg_advisory_unlock(hashtext('figbase migrate'), hashtext($1))`, [schema])
      .catch(() => {})
    client.release()
  }
}

/** Asks again and again: to wait inside PostgreSQL would block another's `create index concurrently`. */
async function lock(client: pg.PoolClient, schema: string) {
  const query = `select pg_try_advisory_lock(hashtext('figbase migrate'), hashtext($1)) as locked`
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(query, [schema])
    if (rows[0]?.locked) return
    await sleep(50)
  }
}

async function apply(client: pg.PoolClient, migration: Migration) {
  const record = () => client.query('insert into migration (name) values ($1)', [migration.name])
  if (migration.inTransaction === false) {
    await client.query(migration.sql)
    await record()
    return
  }
  await client.query('begin')
  try {
    // A migration that waits for a lock would stop everyone who comes after it.
    await client.query(`set local lock_timeout = '10s'`)
    await client.query(migration.sql)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`migration ${migration.name} failed`, { cause: error })
  }
}
