import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteFinished } from '../queries/tasks.js'

const batch = 1000

/** Removes tasks that finished longer ago than `TASK_RETENTION`. */
export async function deleteOldTasks(
  { cfg, write }: Pick<Ctx, 'cfg' | 'write'>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const count = await write((db) => deleteFinished(db, cfg.retentionMs, batch))
    if (count < batch || signal?.aborted) return
  }
}

export const removeOldTasks: Periodic<Ctx> = {
  name: 'remove-old-tasks',
  everyMs: 15 * 60_000,
  run: deleteOldTasks,
}
