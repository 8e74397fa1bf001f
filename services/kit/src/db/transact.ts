import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { sqlState } from '../errors/sql-state.js'
import type { FailPoint } from '../faults/fail-points.js'
import { traced } from '../scope/scope.js'
import { serializationFailure } from './pg-errors.js'

const attemptsMax = 6
const deadlockDetected = '40P01'

/**
 * Runs `work` in a transaction, retried after a deadlock or a serialization failure. `onCommit` is called
 * with the transaction that committed.
 */
export function transact<DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
  failPoint?: FailPoint,
  onCommit?: (tx: Transaction<DB>) => void,
): Promise<T> {
  return withRetries(async () => {
    let done: Transaction<DB> | undefined
    const attempt = () =>
      db.transaction().execute(async (tx) => {
        done = tx
        failPoint?.('tx.begun')
        const answer = await work(tx)
        failPoint?.('tx.committing')
        return answer
      })
    const result = await traced('transaction', 'internal', {}, attempt)
    failPoint?.('tx.committed')
    if (done) onCommit?.(done)
    return result
  })
}

/** Runs one auto-committed statement, with the retries of `transact`. */
export function write<DB, T>(
  db: Kysely<DB>,
  run: (db: Kysely<DB>) => Promise<T>,
  failPoint?: FailPoint,
): Promise<T> {
  return withRetries(async () => {
    failPoint?.('write.before')
    const result = await run(db)
    failPoint?.('write.after')
    return result
  })
}

async function withRetries<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      const state = sqlState(error)
      const retryable = state === serializationFailure || state === deadlockDetected
      if (!retryable || attempt === attemptsMax) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
