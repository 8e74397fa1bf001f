import type pg from 'pg'
import { queueSchema } from './queue-schema.js'

/** Sessions that work on a service's queue hold this lock together; one that is alone may have it. */
const lock = `hashtext('figbase jobs'), hashtext($1)`

/**
 * Frees the jobs of workers that died: the queue itself would wait four hours for them. Only who
 * finds no other process at work on the queue does so, since then every taken job is a dead one's.
 * The lock is held by a connection of its own until disposed; a connection that is lost costs at
 * most that a job runs twice, which jobs must bear anyway.
 */
export async function takeOverJobs(pool: pg.Pool, service: string): Promise<AsyncDisposable> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ alone: boolean }>(
      `select pg_try_advisory_lock(${lock}) as alone`,
      [service],
    )
    const alone = rows[0]?.alone === true
    if (alone) {
      await client.query(
        `select ${queueSchema}.force_unlock_workers(array(
           select distinct locked_by from ${queueSchema}.jobs
            where locked_by is not null and starts_with(task_identifier, $1 || '.')))`,
        [service],
      )
    }
    await client.query(`select pg_advisory_lock_shared(${lock})`, [service])
    if (alone) await client.query(`select pg_advisory_unlock(${lock})`, [service])
  } catch (error) {
    client.release(true)
    throw error
  }
  return {
    async [Symbol.asyncDispose]() {
      const unlock = `select pg_advisory_unlock_shared(${lock})`
      const isLost = await client.query(unlock, [service]).then(
        () => false,
        () => true,
      )
      client.release(isLost)
    },
  }
}
