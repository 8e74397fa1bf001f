import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { sqlState } from './pg-errors.js'

const attemptsMax = 6
const serializationFailure = '40001'
const deadlockDetected = '40P01'

/** Runs `work` in a transaction, again after a deadlock or a serialization failure. */
export async function transact<DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const state = sqlState(error)
      const retryable = state === serializationFailure || state === deadlockDetected
      if (!retryable || attempt === attemptsMax) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
