import type { Kysely } from 'kysely'
import { type AfterCommit, createAfterCommit } from '../db/after-commit.js'
import { transact, write } from '../db/transact.js'
import type { FailPoint } from '../faults/fail-points.js'
import type { Kit } from './service.js'

export type Writes = {
  transact: Kit<unknown>['transact']
  write: <T>(run: (db: Kysely<unknown>) => Promise<T>) => Promise<T>
  afterCommit: AfterCommit['register']
}

/** The writes of a service: with retries, fail points and callbacks. `onWrite` is called after each commit. */
export function createWrites(
  db: Kysely<unknown>,
  failPoint: FailPoint | undefined,
  onWrite: () => void,
): Writes {
  const { register, run: runAfterCommit } = createAfterCommit()
  return {
    transact: (work) =>
      transact(db, work, failPoint, (tx) => {
        runAfterCommit(tx)
        onWrite()
      }),
    async write(run) {
      const result = await write(db, run, failPoint)
      onWrite()
      return result
    },
    afterCommit: register,
  }
}
