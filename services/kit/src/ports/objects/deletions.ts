import pg from 'pg'
import { connectionOf } from '../../db/connection.js'
import { type Database, pastPooler } from '../../db/reach.js'
import { beginLasting, type Session } from '../../db/session.js'
import { type Executor, statement } from '../../db/statement.js'

/**
 * Whoever deletes objects that rows spoke of does so through this, whatever the service; a backup keeps
 * all of them from it, so that what its copy of the rows speaks of is there to be copied.
 */
export type Deletions = AsyncDisposable & {
  /** Does a bounded piece of the work; waits while a backup is made. Rejects when the signal fires. */
  run<T>(work: () => Promise<T>): Promise<T>
}

const deletionsLock = `hashtext('figbase object deletions')`
const backupLock = `hashtext('figbase backup')`

/** On a connection of its own, which the signal closes; each piece of work is a transaction there. */
export async function openDeletions(database: Database, signal?: AbortSignal): Promise<Deletions> {
  const client = new pg.Client({
    ...connectionOf(pastPooler(database).url),
    application_name: 'figbase object deletions',
    keepAlive: true,
  })
  // What was lost shows in the next query.
  client.on('error', () => {})
  await client.connect()
  const close = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', close, { once: true })
  return {
    async run(work) {
      signal?.throwIfAborted()
      try {
        await beginLasting(client)
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

const free = statement<{ is_free: boolean }>(
  `select pg_try_advisory_xact_lock_shared(${deletionsLock}) as is_free`,
)

/** Whether objects may be deleted until the transaction ends; false while a backup is made. */
export async function mayDelete(tx: Executor): Promise<boolean> {
  return (await free(tx))[0]?.is_free ?? false
}

/**
 * Keeps all deletions waiting for as long as the session lasts; first waits for those under way. False:
 * another session does so already.
 */
export async function holdDeletions(session: Session): Promise<boolean> {
  if (!(await session.tryTake({ key: backupLock }))) return false
  await session.take({ key: deletionsLock })
  return true
}
