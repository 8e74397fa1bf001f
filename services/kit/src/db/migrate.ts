import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config.js'
import { sqlState } from './pg-errors.js'
import { beginLasting } from './session.js'

/** Forward only, plain DDL, and safe beside processes of the version before (README.md of the kit). */
export type Migration = {
  name: string
  sql: string
  /** For what PostgreSQL refuses inside a transaction. */
  inTransaction?: false
  /** For one that takes something away, or narrows it: the version since which nobody depends on that. */
  contract?: string
}

export type MigrateOptions = {
  /** How long a migration waits for the locks of others, while all who come after it wait behind it. */
  lockTimeoutMs?: number
  /** How long they are let through before it tries again. */
  lockPauseMs?: number
  lockAttemptsMax?: number
}

type LockWaits = Required<MigrateOptions>

const lockWaits: LockWaits = { lockTimeoutMs: 2000, lockPauseMs: 1000, lockAttemptsMax: 60 }

const insufficientPrivilege = '42501'

/**
 * Brings a service's schema up to date. Replicas that start together wait for each other. What is made
 * belongs to the owner of the schema, whoever of its members makes it. Takes two connections of the pool.
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
    if (!applied) await locked(client, schema, () => prepare(client, schema))
    for (const migration of migrations) {
      if (!applied?.has(migration.name)) {
        await apply(pool, client, schema, migration, { ...lockWaits, ...options })
      }
    }
  } finally {
    client.release()
  }
}

/** Undefined: nothing was ever migrated there. */
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
        `DATABASE_URL: there is no schema ${schema}, and its role may not make it; the command database-roles tells how to make both`,
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
    await patiently(waits, () =>
      locked(client, schema, async () => {
        const { rowCount } = await client.query('select from migration where name = $1', [name])
        if (rowCount !== 0) return
        await client.query(`set local lock_timeout = ${waits.lockTimeoutMs}`)
        if (inTransaction) await client.query(sql)
        else await alone(pool, migration)
        await client.query('insert into migration (name) values ($1)', [name])
      }),
    )
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

/** Who waits for a lock stops everyone who comes after: so each attempt is short, and others are let through. */
async function patiently(waits: LockWaits, attemptOnce: () => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      const state = sqlState(error)
      const isHeldUp = state === lockNotAvailable || state === deadlockDetected
      if (!isHeldUp || attempt === waits.lockAttemptsMax) throw error
      await sleep(waits.lockPauseMs)
    }
  }
}

async function alone(pool: pg.Pool, migration: Migration) {
  const client = await pool.connect()
  try {
    await dropUnfinishedIndexes(client, migration)
    await client.query(migration.sql)
  } finally {
    client.release()
  }
}

/** What an attempt that was cut off has left under the name of an index that is to come. */
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
 * A transaction that sees the schema, while no other process migrates it. The lock is the transaction's:
 * a pooler may be between.
 */
async function locked(client: pg.PoolClient, schema: string, work: () => Promise<void>) {
  await beginLasting(client)
  try {
    await lock(client, schema)
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

/** Asks again and again: to wait inside PostgreSQL would block another's `create index concurrently`. */
async function lock(client: pg.PoolClient, schema: string) {
  // Without a parameter: that index waits for the snapshot of a statement that has one, until the next.
  const name = pg.escapeLiteral(schema)
  const query = `select pg_try_advisory_xact_lock(hashtext('figbase migrate'), hashtext(${name})) as locked`
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(query)
    if (rows[0]?.locked) return
    await sleep(50)
  }
}
