import type { Transaction } from 'kysely'
import type { Kit } from '../service.js'
import { enqueueJob } from './queue.js'

/**
 * The two halves of enqueueing: what `enqueue` puts into a transaction of `transact` is begun as soon
 * as that is committed; into any other, at the next beat of the queue.
 */
export function wakeAfterCommit<DB>(
  transact: Kit<DB>['transact'],
  wake: () => void,
): Pick<Kit<DB>, 'transact' | 'enqueue'> {
  const withJobs = new WeakSet<object>()
  return {
    async enqueue(tx, job, payload, options) {
      await enqueueJob(tx, job, payload, options)
      withJobs.add(tx)
    },
    async transact(work) {
      let committed: Transaction<DB> | undefined
      const result = await transact((tx) => {
        committed = tx
        return work(tx)
      })
      if (committed && withJobs.has(committed)) wake()
      return result
    },
  }
}
