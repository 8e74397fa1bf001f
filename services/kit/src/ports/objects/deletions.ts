import pg from 'pg'
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

/** On a connection of its own, which the signal closes. */
export async function openDeletions(databaseUrl: string, signal?: AbortSignal): Promise<Deletions> {
  const client = new pg.Client({
    connectionString: databaseUrl,
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
      await client.query(`select pg_advisory_lock_shared(${deletionsLock})`).catch((error) => {
        signal?.throwIfAborted()
        throw error
      })
      try {
        return await work()
      } finally {
        await client.query(`select pg_advisory_unlock_shared(${deletionsLock})`).catch(() => {})
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
export async function holdDeletions(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${backupLock}) as taken`,
  )
  if (!rows[0]?.taken) return false
  await client.query(`select pg_advisory_lock(${deletionsLock})`)
  return true
}
