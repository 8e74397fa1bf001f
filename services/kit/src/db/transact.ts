import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { FailPoint } from '../fail-points.js'
import { sqlState } from './pg-errors.js'

const attemptsMax = 6
const serializationFailure = '40001'
const deadlockDetected = '40P01'

/**
 * Runs `work` in a transaction, again after a deadlock or a serialization failure; `committed`
 * hears of the one that was committed.
 */
export async function transact<DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
  failPoint?: FailPoint,
  committed?: (tx: Transaction<DB>) => void,
): Promise<T> {
  const observed = failPoint ? withFailPoints(work, failPoint) : work
  for (let attempt = 1; ; attempt++) {
    try {
      let done: Transaction<DB> | undefined
      const result = await db.transaction().execute((tx) => {
        done = tx
        return observed(tx)
      })
      failPoint?.('tx.committed')
      if (done) committed?.(done)
      return result
    } catch (error) {
      const state = sqlState(error)
      const retryable = state === serializationFailure || state === deadlockDetected
      if (!retryable || attempt === attemptsMax) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

function withFailPoints<DB, T>(
  work: (tx: Transaction<DB>) => Promise<T>,
  failPoint: FailPoint,
): typeof work {
  return async (tx) => {
    failPoint('tx.begun')
    const result = await work(tx)
    failPoint('tx.committing')
    return result
  }
}
