import type { Transaction } from 'kysely'
import type { Ctx } from '../context.js'
import type { Tables } from '../db/schema.js'
import { scheduleGitImports } from '../job-names.js'

/** Enqueues the job that starts the imports of this time, which is an ISO time; null: none. */
export async function planImport(
  { enqueue }: Pick<Ctx, 'enqueue'>,
  tx: Transaction<Tables>,
  time: string | null,
): Promise<void> {
  if (time === null) return
  await enqueue(tx, scheduleGitImports, {}, { key: time, runAt: new Date(time) })
}
