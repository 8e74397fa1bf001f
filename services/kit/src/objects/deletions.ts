import pg from 'pg'
import { parseDatabaseUrl } from '../db/parse-url.js'
import { bypassPooler, type Database } from '../db/resolve-database.js'
import { beginLongTransaction, type Session } from '../db/session.js'
import { type Executor, statement } from '../db/statement.js'

/**
 * All deletions of referenced objects, in any service, run through this. A backup locks deletions, so that the objects
 * referenced by its copy of the rows still exist when it copies them.
 */
export type Deletions = AsyncDisposable & {
  /** Runs a bounded piece of work; waits during a backup. Rejects when the signal fires. */
  run<T>(work: () => Promise<T>): Promise<T>
}

const deletionsLock = `hashtext('figbase object deletions')`
const backupLock = `hashtext('figbase backup')`

/** Opens a dedicated connection, which the signal closes; each piece of work holds a lock in a transaction there. */
export async function openDeletions(database: Database, signal?: AbortSignal): Promise<Deletions> {
  const client = new pg.Client({
    ...parseDatabaseUrl(bypassPooler(database).url),
    application_name: 'figbase object deletions',
    keepAlive: true,
  })
  // The next query reports a lost connection.
  client.on('error', () => {})
  await client.connect()
  const close = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', close, { once: true })
  return {
    async run(work) {
      signal?.throwIfAborted()
      try {
        await beginLongTransaction(client)
        await client.query(`select pg_advisory_xact_lock_shared(${deletionsLock})`)
      } catch (error) {
        signal?.throwIfAborted()
        await client.query('rollback').catch(() => {})
        throw error
      }
      try {
        return await work()
      } finally {
        await client.query('commit').catch(() => {})
      }
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', close)
      await client.end().catch(() => {})
    },
  }
}

const tryLockShared = statement<{ is_free: boolean }>(
  `select pg_try_advisory_xact_lock_shared(${deletionsLock}) as is_free`,
)

/** Whether objects may be deleted until the transaction ends; false during a backup. */
export async function mayDelete(tx: Executor): Promise<boolean> {
  return (await tryLockShared(tx))[0]?.is_free ?? false
}

/**
 * Blocks all deletions for the lifetime of the session, after waiting for those in progress. Returns false if another
 * session does so already.
 */
export async function lockDeletions(session: Session): Promise<boolean> {
  if (!(await session.tryLock({ key: backupLock }))) return false
  await session.lock({ key: deletionsLock })
  return true
}
