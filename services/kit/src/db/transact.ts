import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { FailPoint } from '../fail-points.js'
import { sqlState } from './pg-errors.js'

const attemptsMax = 6
const serializationFailure = '40001'
const deadlockDetected = '40P01'

/** Runs `work` in a transaction, again after a deadlock or a serialization failure. */
export async function transact<DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
  failPoint?: FailPoint,
): Promise<T> {
  const observed = failPoint ? withFailPoints(work, failPoint) : work
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await db.transaction().execute(observed)
      failPoint?.('tx.committed')
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
