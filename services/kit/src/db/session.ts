import pg from 'pg'
import { parseDatabaseUrl } from './parse-url.js'
import type { Database } from './resolve-database.js'

/** An advisory lock; `key` is SQL for the one or two arguments of `pg_advisory_lock`. */
export type Lock = { key: string; isShared?: boolean }

/**
 * A dedicated connection for advisory locks, which are released when it ends. Behind a pooler it is a transaction
 * that stays open, which has a server connection to itself. Its statements have no parameters: a statement with
 * parameters keeps its snapshot until the next, and vacuum would wait for it.
 */
export type Session = AsyncDisposable & {
  client: pg.Client
  /** Fires when the connection, and with it every lock, is lost. */
  lost: AbortSignal
  lock(lock: Lock): Promise<void>
  tryLock(lock: Lock): Promise<boolean>
  /** Undefined behind a pooler: all locks are released with the session. */
  unlock?: (lock: Lock) => Promise<void>
}

const keepAliveAfterMs = 10_000
const timeoutMsMax = 2 ** 31 - 1

/** The server detects within 30 s that a client's machine is gone. */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

export async function openSession(
  { url, directUrl, limits }: Database,
  applicationName: string,
): Promise<Session> {
  const client = new pg.Client({
    ...parseDatabaseUrl(directUrl ?? url),
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(limits && {
      connectionTimeoutMillis: limits.connectTimeoutMs,
      query_timeout: limits.queryTimeoutMs,
    }),
    ...(directUrl && { options: keepAlive }),
  })
  const connectionLost = new AbortController()
  const onLost = () => connectionLost.abort()
  // The next query reports the loss, too.
  client.on('error', onLost).on('end', onLost)
  const end = () => client.end().catch(() => {})
  try {
    await client.connect()
    if (!directUrl) await beginLongTransaction(client)
  } catch (error) {
    await end()
    throw error
  }
  const kind = directUrl ? 'advisory' : 'advisory_xact'
  const call = async (verb: string, { key, isShared = false }: Lock, query_timeout?: number) => {
    const text = `select ${verb}${isShared ? '_shared' : ''}(${key}) as taken`
    const query = { text, ...(query_timeout && { query_timeout }) }
    const { rows } = await client.query<{ taken: unknown }>(query)
    return rows[0]?.taken === true
  }
  return {
    client,
    lost: connectionLost.signal,
    // Waits without timeout while others hold the lock.
    lock: async (lock) => void (await call(`pg_${kind}_lock`, lock, timeoutMsMax)),
    tryLock: (lock) => call(`pg_try_${kind}_lock`, lock),
    ...(directUrl && {
      unlock: async (lock: Lock) => void (await call('pg_advisory_unlock', lock)),
    }),
    async [Symbol.asyncDispose]() {
      client.off('end', onLost)
      if (!directUrl) await client.query('rollback').catch(() => {})
      await end()
    },
  }
}

/** Begins a transaction that is exempt from the server's transaction timeouts. */
export async function beginLongTransaction(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  await allowLongTransaction(client)
}

/** Lets the current transaction stay open for any time. */
export async function allowLongTransaction(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config(name, '0', true) from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )
}
