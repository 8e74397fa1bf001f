import pg from 'pg'
import { connectionOf } from './connection.js'
import type { Database } from './reach.js'

/** An advisory lock; `key` is SQL, the number of `pg_advisory_lock` or both. */
export type Lock = { key: string; isShared?: boolean }

/**
 * A connection of its own that holds advisory locks, which end with it, however that ends. Where there is
 * only a pooler, it is a transaction that stays open: that has a connection of the server to itself.
 * Its statements have no parameters: a snapshot of what has some is kept to the next, and vacuum waits for it.
 */
export type Session = AsyncDisposable & {
  client: pg.Client
  /** Fires when the connection is lost, and all that hung on it. */
  lost: AbortSignal
  take(lock: Lock): Promise<void>
  tryTake(lock: Lock): Promise<boolean>
  /** Undefined where only all locks can be given back, with the session. */
  giveBack?: (lock: Lock) => Promise<void>
}

const keepAliveAfterMs = 10_000
const timeoutMsMax = 2 ** 31 - 1

/** A server notices within half a minute that the machine of a client is gone. */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

export async function openSession(
  { url, directUrl, limits }: Database,
  applicationName: string,
): Promise<Session> {
  const client = new pg.Client({
    ...connectionOf(directUrl ?? url),
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(limits && {
      connectionTimeoutMillis: limits.connectTimeoutMs,
      query_timeout: limits.queryTimeoutMs,
    }),
    ...(directUrl && { options: keepAlive }),
  })
  const losing = new AbortController()
  const lose = () => losing.abort()
  // What was lost shows in the next query, too.
  client.on('error', lose).on('end', lose)
  const end = () => client.end().catch(() => {})
  try {
    await client.connect()
    if (!directUrl) await beginLasting(client)
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
    lost: losing.signal,
    // As long as others hold it.
    take: async (lock) => void (await call(`pg_${kind}_lock`, lock, timeoutMsMax)),
    tryTake: (lock) => call(`pg_try_${kind}_lock`, lock),
    ...(directUrl && {
      giveBack: async (lock: Lock) => void (await call('pg_advisory_unlock', lock)),
    }),
    async [Symbol.asyncDispose]() {
      client.off('end', lose)
      if (!directUrl) await client.query('rollback').catch(() => {})
      await end()
    },
  }
}

/** A transaction that no setting of the server ends for its age. */
export async function beginLasting(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  await client.query(
    `select set_config(name, '0', true) from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )
}
