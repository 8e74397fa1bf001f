import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { FailPoint } from '../fail-points.js'
import { traced } from '../tracing/scope.js'
import { serializationFailure, sqlState } from './pg-errors.js'

const attemptsMax = 6
const deadlockDetected = '40P01'

/**
 * Runs `work` in a transaction, again after a deadlock or a serialization failure; `committed`
 * hears of the one that was committed.
 */
export function transact<DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
  failPoint?: FailPoint,
  committed?: (tx: Transaction<DB>) => void,
): Promise<T> {
  return again(async () => {
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
    if (done) committed?.(done)
    return result
  })
}

/** Runs one statement that is a transaction of its own, again as `transact` does. */
export function write<DB, T>(
  db: Kysely<DB>,
  run: (db: Kysely<DB>) => Promise<T>,
  failPoint?: FailPoint,
): Promise<T> {
  return again(async () => {
    failPoint?.('write.before')
    const result = await run(db)
    failPoint?.('write.after')
    return result
  })
}

async function again<T>(attemptOnce: () => Promise<T>): Promise<T> {
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
