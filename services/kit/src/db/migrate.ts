import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config/config.js'
import { sqlState } from '../errors/sql-state.js'
import { allowLongTransaction } from './session.js'

/** Forward only, plain DDL, and safe beside processes of the version before (MIGRATIONS.md of the kit). */
export type Migration = {
  name: string
  sql: string
  /** For statements that PostgreSQL does not allow in a transaction. */
  inTransaction?: false
  /** For a migration that removes or narrows something: the version since which no code depends on it. */
  contract?: string
}

export type MigrateOptions = {
  /** Lock timeout of one attempt; while it waits, later lock requests queue behind it. */
  lockTimeoutMs?: number
  /** Pause between attempts, in which the queued requests proceed. */
  lockPauseMs?: number
  lockAttemptsMax?: number
}

type LockWaits = Required<MigrateOptions>

const lockWaits: LockWaits = { lockTimeoutMs: 2000, lockPauseMs: 1000, lockAttemptsMax: 60 }

const insufficientPrivilege = '42501'

/**
 * Brings a service's schema up to date. Replicas that start together wait for each other. New tables are owned by
 * the owner of the schema, whichever member role runs the migration. Uses two connections of the pool.
 */
export async function migrate(
  pool: pg.Pool,
  schema: string,
  migrations: Migration[],
  options: MigrateOptions = {},
): Promise<void> {
  const client = await pool.connect()
  try {
    const applied = await readApplied(client, schema)
    if (!applied) await inLockedTransaction(client, schema, () => prepare(client, schema))
    for (const migration of migrations) {
      if (!applied?.has(migration.name)) {
        await apply(pool, client, schema, migration, { ...lockWaits, ...options })
      }
    }
  } finally {
    client.release()
  }
}

/** Undefined: the schema was never migrated. */
async function readApplied(client: pg.PoolClient, schema: string) {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    `select to_regclass($1) is not null as is_there`,
    [`"${schema}".migration`],
  )
  if (!found[0]?.is_there) return undefined
  const { rows } = await client.query<{ name: string }>(`select name from "${schema}".migration`)
  return new Set(rows.map(({ name }) => name))
}

async function prepare(client: pg.PoolClient, schema: string) {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) {
    await client.query(`create schema "${schema}"`).catch((cause) => {
      if (sqlState(cause) !== insufficientPrivilege) throw cause
      throw new ConfigError(
        `DATABASE_URL: schema ${schema} does not exist and the role may not create it; run figbase-server database-roles for the statements that create both`,
        { cause },
      )
    })
  }
  await client.query(
    `create table if not exists "${schema}".migration (
       name text constraint migration_pkey primary key,
       applied_on timestamptz not null default now()
     )`,
  )
}

async function apply(
  pool: pg.Pool,
  client: pg.PoolClient,
  schema: string,
  migration: Migration,
  waits: LockWaits,
) {
  const { name, sql, inTransaction = true } = migration
  try {
    await withLockRetries(waits, () =>
      inLockedTransaction(client, schema, async () => {
        const { rowCount } = await client.query('select from migration where name = $1', [name])
        if (rowCount !== 0) return
        await client.query(`set local lock_timeout = ${waits.lockTimeoutMs}`)
        if (inTransaction) await client.query(sql)
        else await runOutsideTransaction(pool, migration)
        await client.query('insert into migration (name) values ($1)', [name])
      }),
    )
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

/** A waiting lock request blocks all later ones, so each attempt is short, with a pause for the others. */
async function withLockRetries(waits: LockWaits, attemptOnce: () => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      const state = sqlState(error)
      const isLockTimeout = state === lockNotAvailable || state === deadlockDetected
      if (!isLockTimeout || attempt === waits.lockAttemptsMax) throw error
      await sleep(waits.lockPauseMs)
    }
  }
}

async function runOutsideTransaction(pool: pg.Pool, migration: Migration) {
  const client = await pool.connect()
  try {
    await dropUnfinishedIndexes(client, migration)
    await client.query(migration.sql)
  } finally {
    client.release()
  }
}

/** Drops invalid indexes that an interrupted attempt left under the name of an index to create. */
async function dropUnfinishedIndexes(client: pg.PoolClient, { sql }: Migration) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and not i.indisvalid`,
  )
  for (const { name } of rows) {
    if (!new RegExp(`\\b${name}\\b`).test(sql)) continue
    await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`)
  }
}

/**
 * Runs work in a transaction with the schema's search path, under a migration lock. The lock belongs to the
 * transaction because the connection may go through a pooler.
 */
async function inLockedTransaction(
  client: pg.PoolClient,
  schema: string,
  work: () => Promise<void>,
) {
  await beginLocked(client, schema)
  try {
    await client.query(`set local search_path = "${schema}"`)
    await client.query(
      `select set_config('role', rolname, true)
         from pg_namespace join pg_roles on pg_roles.oid = nspowner
        where nspname = $1 and rolname <> current_user and pg_has_role(nspowner, 'member')`,
      [schema],
    )
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Polls, because waiting inside PostgreSQL would block another process's `create index concurrently`. Each attempt is a
 * transaction of its own: the index build waits for the end of each transaction that had a snapshot when it looked.
 */
async function beginLocked(client: pg.PoolClient, schema: string) {
  const name = pg.escapeLiteral(schema)
  const query = `select pg_try_advisory_xact_lock(hashtext('figbase migrate'), hashtext(${name})) as locked`
  for (;;) {
    await client.query('begin')
    const { rows } = await client.query<{ locked: boolean }>(query).catch(async (error) => {
      await client.query('rollback').catch(() => {})
      throw error
    })
    if (rows[0]?.locked) return allowLongTransaction(client)
    await client.query('rollback')
    await sleep(50)
  }
}
