import { defineJob, type Job } from '@figbase/kit/jobs'
import { type Deletions, exportsPrefix, openDeletions } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { exportKey, exportOf } from '../exports/object-key.js'
import { listExpired, listUnknown } from '../queries/exports.js'
import { deleteListed } from './delete-exports.js'

/** Deletes expired exports, and objects without a row. */
export const deleteExpired: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'delete-expired-exports',
  attemptsMax: 3,
  timeoutMs: 30 * 60_000,
  schedule: { cron: '27 * * * *', payload: {} },
  async run(ctx, _, signal) {
    await using deletions = await openDeletions(ctx.database, signal)
    const { exportRetentionMs } = ctx.cfg
    await deleteListed(ctx, deletions, (limit) => listExpired(ctx.db, exportRetentionMs, limit))
    await deleteUnknown(ctx, deletions)
  },
})

const batch = 1000

/**
 * A row is inserted before its object is stored, so an object that was listed and has no row belongs to none: a backup
 * without the row was restored, or a process was killed after the row was deleted.
 */
async function deleteUnknown({ db, objects }: Ctx, deletions: Deletions) {
  let ids: string[] = []
  const flush = () =>
    deletions.run(async () => {
      const unknown = await listUnknown(db, ids)
      if (unknown.length > 0) await objects.delete(unknown.map(exportKey))
      ids = []
    })
  for await (const { key } of objects.list(exportsPrefix)) {
    const id = exportOf(key)
    if (id) ids.push(id)
    if (ids.length === batch) await flush()
  }
  if (ids.length > 0) await flush()
}
